package dev.keelson.server.audit;

import dev.keelson.server.lifecycle.StartupException;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.SslMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

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
    Map<String, String> properties = new HashMap<>(options.getProperties());
    String root = properties.remove(ROOT_CERTIFICATE);
    options.setProperties(properties);
    SslMode mode = options.getSslMode();
    if (root != null) {
      if (!Files.isReadable(Path.of(root))) {
        throw new StartupException("--audit-trail: cannot read sslrootcert " + root, null);
      }
      options.setPemTrustOptions(new PemTrustOptions().addCertPath(root));
    } else if (mode == SslMode.REQUIRE || mode == SslMode.PREFER || mode == SslMode.ALLOW) {
      // as libpq: encrypted, without a check of the server's certificate
      options.setTrustAll(true);
    }
    if (mode == SslMode.VERIFY_FULL) {
      options.setHostnameVerificationAlgorithm("HTTPS");
    }
    return options;
  }
}
