package dev.keelson.authn;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Who may connect.
 *
 * @param anonymous whether requests without credentials are served
 * @param clientCaFile authorities in PEM for client certificates, beside the server's own; or null
 * @param tokenFile the file of static tokens, or null
 */
public record AuthenticationOptions(
    boolean anonymous, @Nullable Path clientCaFile, @Nullable Path tokenFile) {}
