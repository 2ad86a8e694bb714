/** Invitations: links by which others join a room, even a private one. */

/** @import { AcceptInvitation, InvitationList, InvitationView, InviteCommand, NewInvitation } from '../schema.d.ts' */
/** @import { Requests } from './requests.js' */

/**
 * @param {Requests} client
 * @param {string} room
 * @param {Omit<InviteCommand, 'type'>} command
 * @returns {Promise<NewInvitation>}
 */
export async function invite(client, room, command) {
  const path = `/v1/rooms/${encodeURIComponent(room)}/commands`;
  return (await client.post(path, { type: 'invite', ...command }, { prefer: 'return=minimal' })).invitation;
}

/**
 * @param {Requests} client
 * @param {string} room
 * @returns {Promise<InvitationList>}
 */
export function readInvitations(client, room) {
  return client.get(`/v1/rooms/${encodeURIComponent(room)}/invitations`);
}

/**
 * @param {Requests} client
 * @param {string} code
 * @returns {Promise<InvitationView>}
 */
export function readInvitation(client, code) {
  return client.get(pathOf(code));
}

/**
 * @param {Requests} client
 * @param {string} code
 * @param {AcceptInvitation} request
 * @returns {Promise<string>}
 */
export async function acceptInvitation(client, code, request) {
  if (client.token === null && request.nickname) await client.createGuest(request.nickname);
  return (await client.post(pathOf(code), request)).room;
}

/**
 * @param {Requests} client
 * @param {string} code
 * @param {{nickname?: string}} request
 * @returns {Promise<void>}
 */
export function declineInvitation(client, code, request) {
  return client.post(`${pathOf(code)}/decline`, request);
}

/** @param {string} code */
function pathOf(code) {
  return `/v1/invitations/${encodeURIComponent(code)}`;
}
