"""Live feeds: subscriptions, frames and send queues."""
