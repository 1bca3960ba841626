package dev.keelson.server.identity;

import dev.keelson.object.Node.MapNode;
import dev.keelson.server.lifecycle.FileReloader;
import dev.keelson.webhook.ClientIdentity;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * A user of a kubeconfig for webhooks. Its {@code tokenFile} is read again when it is older than a
 * minute; a file that cannot be read leaves the last token (source: client-go, {@code
 * transport/token_source.go}). Safe for use by several threads.
 */
final class WebhookUser {

  private static final Logger LOG = Logger.getLogger(WebhookUser.class);
  private static final long TOKEN_NANOS = Duration.ofMinutes(1).toNanos();

  private final KubeconfigEntries.Part user;
  private volatile Known known;

  private record Known(ClientIdentity identity, long readAt) {}

  /**
   * Reads a user and its files.
   *
   * @param directory where relative paths begin
   * @param now the monotonic time in nanoseconds
   * @throws IllegalArgumentException if it is invalid, or needs what is not supported
   */
  WebhookUser(MapNode user, @Nullable Path directory, FileReloader.Source source, long now) {
    this.user = new KubeconfigEntries.Part(user, directory, source);
    this.user.checkUser();
    this.known =
        new Known(new ClientIdentity(this.user.certificate(), this.user.headers(), ""), now);
  }

  /** What the user shows at a monotonic time in nanoseconds. */
  ClientIdentity identity(long now) {
    Known last = known;
    if (user.node().text("tokenFile").isEmpty() || now - last.readAt < TOKEN_NANOS) {
      return last.identity;
    }
    ClientIdentity next = last.identity;
    try {
      Map<String, String> headers = user.headers();
      if (!headers.equals(last.identity.headers())) {
        next = new ClientIdentity(last.identity.certificate(), headers, "");
      }
    } catch (UncheckedIOException e) {
      LOG.warnf("cannot read the token of webhooks again: error=%s", e.getMessage());
    }
    known = new Known(next, now);
    return next;
  }
}
