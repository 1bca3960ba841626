package dev.keelson.server.identity;

import dev.keelson.admission.plugin.PluginConfiguration;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.schema.codec.tree.DecodeException;
import dev.keelson.server.lifecycle.StartupException;
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
import org.jspecify.annotations.Nullable;

/**
 * The credentials for admission webhooks: the users of the kubeconfig of a WebhookAdmission
 * configuration, whose names are the addresses of webhooks: {@code host:port}, {@code
 * service.namespace.svc}, {@code *.example.com} or {@code *} (source: apiserver,
 * util/webhook/authentication.go). Read once.
 */
public final class WebhookCredentials implements Credentials {

  private static final String DEFAULT_PORT = ":443";

  private final Map<String, ClientIdentity> users;

  private WebhookCredentials(Map<String, ClientIdentity> users) {
    this.users = Map.copyOf(users);
  }

  /**
   * The credentials of a plugin's configuration.
   *
   * @throws StartupException if the configuration or the kubeconfig is invalid
   */
  public static Credentials of(Optional<PluginConfiguration> configuration) {
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
    return file.isEmpty() ? Credentials.NONE : read(configuration.get().resolve(file));
  }

  private static Credentials read(Path file) {
    try {
      Path directory = file.toAbsolutePath().getParent();
      Map<String, ClientIdentity> users = new LinkedHashMap<>();
      if (ObjectReader.untypedYaml(Files.readAllBytes(file)) instanceof MapNode config) {
        for (MapNode user : Node.maps(config.items("users"))) {
          users.put(
              user.text("name"),
              RemoteKubeconfig.identity(user.map("user"), directory, WebhookCredentials::content));
        }
      }
      return new WebhookCredentials(users);
    } catch (IOException | UncheckedIOException | IllegalArgumentException e) {
      throw new StartupException(
          "--admission-control-config-file: " + file + ": " + e.getMessage(), e);
    } catch (DecodeException e) {
      throw new StartupException("--admission-control-config-file: " + file + ": " + e.text(), e);
    }
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
    ClientIdentity found = matching(target);
    if (found == null && target.endsWith(DEFAULT_PORT)) {
      found = matching(target.substring(0, target.length() - DEFAULT_PORT.length()));
    }
    if (found == null) {
      found = users.get("*");
    }
    return found == null ? ClientIdentity.ANONYMOUS : found;
  }

  /** Exactly, or by a prefix of stars for whole labels. */
  private @Nullable ClientIdentity matching(String target) {
    ClientIdentity exact = users.get(target);
    int dot = target.indexOf('.');
    while (exact == null && dot >= 0) {
      exact = users.get("*" + target.substring(dot));
      dot = target.indexOf('.', dot + 1);
    }
    return exact;
  }
}
