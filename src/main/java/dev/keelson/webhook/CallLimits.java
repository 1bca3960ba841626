package dev.keelson.webhook;

import java.time.Duration;

/**
 * The limits of a call.
 *
 * @param timeout the time for the whole call; the webhook sees it as the parameter {@code timeout}
 * @param maxResponseBytes the maximum length of the response; a longer one is an error
 * @param repeatable whether the call has no effect, so that it is sent again if a kept connection
 *     turns out to be closed
 */
public record CallLimits(Duration timeout, int maxResponseBytes, boolean repeatable) {}
