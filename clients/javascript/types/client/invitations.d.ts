/** Invitations: links by which others join a room, even a private one. */
import type { AcceptInvitation, InvitationList, InvitationView, InviteCommand, NewInvitation } from '../schema.d.ts';
import type { Requests } from './requests.js';
/** @import { AcceptInvitation, InvitationList, InvitationView, InviteCommand, NewInvitation } from '../schema.d.ts' */
/** @import { Requests } from './requests.js' */
/**
 * @param {Requests} client
 * @param {string} room
 * @param {Omit<InviteCommand, 'type'>} command
 * @returns {Promise<NewInvitation>}
 */
export declare function invite(client: Requests, room: string, command: Omit<InviteCommand, 'type'>): Promise<NewInvitation>;
/**
 * @param {Requests} client
 * @param {string} room
 * @returns {Promise<InvitationList>}
 */
export declare function readInvitations(client: Requests, room: string): Promise<InvitationList>;
/**
 * @param {Requests} client
 * @param {string} code
 * @returns {Promise<InvitationView>}
 */
export declare function readInvitation(client: Requests, code: string): Promise<InvitationView>;
/**
 * @param {Requests} client
 * @param {string} code
 * @param {AcceptInvitation} request
 * @returns {Promise<string>}
 */
export declare function acceptInvitation(client: Requests, code: string, request: AcceptInvitation): Promise<string>;
/**
 * @param {Requests} client
 * @param {string} code
 * @param {{nickname?: string}} request
 * @returns {Promise<void>}
 */
export declare function declineInvitation(client: Requests, code: string, request: {
    nickname?: string;
}): Promise<void>;
