package dev.keelson.server.identity;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.server.lifecycle.FileReloader;
import dev.keelson.webhook.ClientIdentity;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
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

  /** Ways to authenticate that need another program, or would act as someone else. */
  private static final List<String> REFUSED =
      List.of("exec", "auth-provider", "as", "as-uid", "as-groups", "as-user-extra");

  private final MapNode user;
  private final @Nullable Path directory;
  private final FileReloader.Source source;
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
    this.user = user;
    this.directory = directory;
    this.source = source;
    check(user);
    this.known = new Known(RemoteKubeconfig.identity(user, directory, source), now);
  }

  private static void check(MapNode user) {
    for (String field : REFUSED) {
      if (user.has(field) && user.get(field) != Node.Null.NULL) {
        throw new IllegalArgumentException(field + " is not supported");
      }
    }
    boolean hasToken = !user.text("token").isEmpty() || !user.text("tokenFile").isEmpty();
    if (hasToken && !(user.text("username") + user.text("password")).isEmpty()) {
      throw new IllegalArgumentException(
          "username/password or bearer token may be set, but not both");
    }
  }

  /** What the user shows at a monotonic time in nanoseconds. */
  ClientIdentity identity(long now) {
    Known last = known;
    if (user.text("tokenFile").isEmpty() || now - last.readAt < TOKEN_NANOS) {
      return last.identity;
    }
    ClientIdentity next = last.identity;
    try {
      Map<String, String> headers = RemoteKubeconfig.headers(user, directory, source);
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
