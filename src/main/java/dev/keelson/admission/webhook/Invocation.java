package dev.keelson.admission.webhook;

import dev.keelson.api.GroupVersionKind;
import dev.keelson.api.GroupVersionResource;

/**
 * A webhook that a write calls.
 *
 * @param index its place among all webhooks of its step
 * @param resource the resource that its rules match, which may be an equivalent one
 * @param kind the kind of that resource, in which it gets the objects
 */
record Invocation(
    Webhook webhook, int index, GroupVersionResource resource, GroupVersionKind kind) {}
