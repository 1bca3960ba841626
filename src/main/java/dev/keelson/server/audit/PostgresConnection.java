package dev.keelson.server.audit;

import dev.keelson.server.lifecycle.StartupException;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.SslMode;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The connection options of a PostgreSQL URI: those of the Vert.x client, and libpq's {@code
 * sslrootcert}. Messages do not have the URI, which may have a password.
 */
final class PostgresConnection {

  private static final String ROOT_CERTIFICATE = "sslrootcert";

  private PostgresConnection() {}

  /**
   * Reads a URI.
   *
   * @throws StartupException if it is malformed or names a file that does not exist
   */
  static PgConnectOptions options(String uri) {
    PgConnectOptions options;
    try {
      options = PgConnectOptions.fromUri(uri);
    } catch (RuntimeException e) {
      throw new StartupException("--audit-trail: the URL of the database is malformed", e);
    }
    SslMode mode = options.getSslMode();
    String root = rootCertificate(uri);
    if (root != null) {
      if (!Files.isReadable(Path.of(root))) {
        throw new StartupException("--audit-trail: cannot read sslrootcert " + root, null);
      }
      options.setPemTrustOptions(new PemTrustOptions().addCertPath(root));
    } else if (mode == SslMode.VERIFY_CA || mode == SslMode.VERIFY_FULL) {
      throw new StartupException(
          "--audit-trail: sslmode=" + mode.value + " needs sslrootcert", null);
    } else if (mode != SslMode.DISABLE) {
      // as libpq: encrypted, without a check of the server's certificate
      options.setTrustAll(true);
    }
    if (mode == SslMode.VERIFY_FULL) {
      options.setHostnameVerificationAlgorithm("HTTPS");
    }
    return options;
  }

  /** The parameter that the client leaves out of what it reads; null if it is missing. */
  private static @Nullable String rootCertificate(String uri) {
    int query = uri.indexOf('?');
    if (query < 0) {
      return null;
    }
    for (String parameter : uri.substring(query + 1).split("&", -1)) {
      int end = parameter.indexOf('=');
      if (end >= 0 && parameter.substring(0, end).equalsIgnoreCase(ROOT_CERTIFICATE)) {
        return URLDecoder.decode(parameter.substring(end + 1), StandardCharsets.UTF_8);
      }
    }
    return null;
  }
}
