package dev.keelson.server.identity;

import dev.keelson.admission.plugin.PluginConfiguration;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.schema.codec.tree.DecodeException;
import dev.keelson.server.lifecycle.StartupException;
import dev.keelson.value.GoQuote;
import dev.keelson.webhook.ClientIdentity;
import dev.keelson.webhook.Credentials;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The credentials for admission webhooks: the users of the kubeconfig of a WebhookAdmission
 * configuration, whose names are the addresses of webhooks: {@code host:port}, {@code
 * service.namespace.svc}, {@code *.example.com} or {@code *}; else the user of the current context
 * (source: apiserver, util/webhook/authentication.go). Read once, but for token files.
 */
public final class WebhookCredentials implements Credentials {

  private static final String DEFAULT_PORT = ":443";

  private final Map<String, WebhookUser> users;

  /** That of the current context, for webhooks that no other is for. */
  private final @Nullable WebhookUser fallback;

  private final LongSupplier nanoTime;

  private WebhookCredentials(
      Map<String, WebhookUser> users, @Nullable WebhookUser fallback, LongSupplier nanoTime) {
    this.users = Map.copyOf(users);
    this.fallback = fallback;
    this.nanoTime = nanoTime;
  }

  /**
   * The credentials of a plugin's configuration.
   *
   * @param nanoTime the monotonic time, by which token files are read again
   * @throws StartupException if the configuration or the kubeconfig is invalid
   */
  public static Credentials of(Optional<PluginConfiguration> configuration, LongSupplier nanoTime) {
    if (configuration.isEmpty()) {
      return Credentials.NONE;
    }
    MapNode content = configuration.get().content();
    String file = content.text("kubeConfigFile");
    if (!content.text("kind").equals("WebhookAdmissionConfiguration")
        && !content.text("kind").equals("WebhookAdmission")) {
      throw new StartupException(
          "--admission-control-config-file: expected kind WebhookAdmissionConfiguration, found \""
              + content.text("kind")
              + "\"",
          null);
    }
    return file.isEmpty() ? Credentials.NONE : read(configuration.get().resolve(file), nanoTime);
  }

  private static Credentials read(Path file, LongSupplier nanoTime) {
    try {
      Path directory = file.toAbsolutePath().getParent();
      Map<String, WebhookUser> users = new LinkedHashMap<>();
      WebhookUser fallback = null;
      if (ObjectReader.untypedYaml(Files.readAllBytes(file)) instanceof MapNode config) {
        for (MapNode user : Node.maps(config.items("users"))) {
          users.put(user.text("name"), user(user, directory, nanoTime));
        }
        fallback = users.get(currentUser(config));
      }
      return new WebhookCredentials(users, fallback, nanoTime);
    } catch (IOException | UncheckedIOException | IllegalArgumentException e) {
      throw new StartupException(
          "--admission-control-config-file: " + file + ": " + e.getMessage(), e);
    } catch (DecodeException e) {
      throw new StartupException("--admission-control-config-file: " + file + ": " + e.text(), e);
    }
  }

  private static WebhookUser user(MapNode named, @Nullable Path directory, LongSupplier nanoTime) {
    try {
      return new WebhookUser(
          named.map("user"), directory, WebhookCredentials::content, nanoTime.getAsLong());
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "user " + GoQuote.quote(named.text("name")) + ": " + e.getMessage(), e);
    }
  }

  /** The user of the current context, or empty. */
  private static String currentUser(MapNode config) {
    String current = config.text("current-context");
    for (MapNode context : Node.maps(config.items("contexts"))) {
      if (!current.isEmpty() && context.text("name").equals(current)) {
        return context.map("context").text("user");
      }
    }
    return "";
  }

  private static String content(Path path) {
    try {
      return Files.readString(path, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public ClientIdentity of(String target) {
    WebhookUser found = matching(target);
    if (found == null && target.endsWith(DEFAULT_PORT)) {
      found = matching(target.substring(0, target.length() - DEFAULT_PORT.length()));
    }
    if (found == null) {
      found = users.get("*");
    }
    if (found == null) {
      found = fallback;
    }
    return found == null ? ClientIdentity.ANONYMOUS : found.identity(nanoTime.getAsLong());
  }

  /** Exactly, or by a prefix of stars for whole labels. */
  private @Nullable WebhookUser matching(String target) {
    WebhookUser exact = users.get(target);
    int dot = target.indexOf('.');
    while (exact == null && dot >= 0) {
      exact = users.get("*" + target.substring(dot));
      dot = target.indexOf('.', dot + 1);
    }
    return exact;
  }
}
