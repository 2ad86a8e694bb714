"""Webhooks: `WebhookService` is the only door to them, `WebhookSender` sends what is due."""
