package dev.keelson.config;

import dev.keelson.authn.AuthenticationOptions;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Who may connect. */
final class AuthenticationFlags {

  private final Flag<Boolean> anonymous;
  private final Flag<@Nullable Path> clientCaFile;
  private final Flag<@Nullable Path> tokenFile;

  AuthenticationFlags(FlagGroup group) {
    anonymous =
        group.toggle(
            "anonymous-auth",
            true,
            "Whether a request without credentials is served, as user system:anonymous of group"
                + " system:unauthenticated.");
    clientCaFile =
        group.optional(
            "client-ca-file",
            "FILE",
            "Authorities in PEM whose client certificates are accepted: the CommonName is the user,"
                + " each Organization a group. The server's own authority is always accepted.",
            Values::path);
    tokenFile =
        group.optional(
            "token-auth-file",
            "FILE",
            "Bearer tokens, one a line: token,user,uid,\"group1,group2\".",
            Values::path);
  }

  AuthenticationOptions options(Settings settings) {
    Path authorities = settings.value(clientCaFile);
    Path tokens = settings.value(tokenFile);
    return new AuthenticationOptions(
        settings.value(anonymous),
        authorities == null ? null : Checks.readable(clientCaFile, authorities),
        tokens == null ? null : Checks.readable(tokenFile, tokens));
  }
}
