"""Webhooks: `WebhookService` is the only entry to them, `WebhookSender` sends what is due."""
