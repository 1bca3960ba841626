package dev.keelson.http.simulated;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The part of a container's log that a client asks for (PodLogOptions).
 *
 * @param follow whether what is printed later follows
 * @param previous whether it is the log of the container before its last restart
 * @param since lines from this time on; null for all
 * @param timestamps whether each line begins with its time
 * @param tailLines so many of the last lines; null for all
 * @param limitBytes so many of the first bytes; null for all
 */
public record LogWindow(
    boolean follow,
    boolean previous,
    @Nullable Instant since,
    boolean timestamps,
    @Nullable Long tailLines,
    @Nullable Long limitBytes) {}
