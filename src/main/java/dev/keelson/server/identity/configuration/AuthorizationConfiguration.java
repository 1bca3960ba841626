package dev.keelson.server.identity.configuration;

import dev.keelson.api.Names;
import dev.keelson.authz.AuthorizationOptions.Mode;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.value.GoQuote;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Parses an AuthorizationConfiguration (apiserver.config.k8s.io): the authorizers in order, with
 * kube-apiserver's validation (source: {@code ValidateAuthorizationConfiguration}).
 */
public final class AuthorizationConfiguration {

  private static final String GROUP = "apiserver.config.k8s.io/";
  private static final Set<String> VERSIONS =
      Set.of(GROUP + "v1", GROUP + "v1beta1", GROUP + "v1alpha1");
  private static final List<String> TYPES =
      Arrays.stream(Mode.values()).map(Mode::word).sorted().toList();

  /**
   * An authorizer.
   *
   * @param webhook the webhook options; null for other modes
   */
  public record Entry(Mode mode, String name, @Nullable ConfiguredWebhook webhook) {}

  private final ConfigurationFaults faults = new ConfigurationFaults();
  private final List<Entry> entries = new ArrayList<>();
  private final Set<Mode> modes = EnumSet.noneOf(Mode.class);
  private final Set<String> names = new HashSet<>();

  private AuthorizationConfiguration() {}

  /**
   * Parses a file.
   *
   * @throws IllegalArgumentException naming every invalid field
   */
  public static List<Entry> parse(String text) {
    MapNode root = ConfiguredFields.root(text);
    if (!root.text("kind").equals("AuthorizationConfiguration")
        || !VERSIONS.contains(root.text("apiVersion"))) {
      throw new IllegalArgumentException(
          "expected kind AuthorizationConfiguration in " + GROUP + "v1");
    }
    ConfiguredFields.rejectUnknown("", root, "apiVersion", "kind", "authorizers");
    AuthorizationConfiguration reading = new AuthorizationConfiguration();
    List<Node> items = root.items("authorizers");
    if (items.isEmpty()) {
      reading.faults.required("authorizers", "at least one authorization mode must be defined");
    }
    for (int i = 0; i < items.size(); i++) {
      reading.read(
          "authorizers[" + i + "]", items.get(i) instanceof MapNode map ? map : MapNode.EMPTY);
    }
    reading.faults.check();
    return List.copyOf(reading.entries);
  }

  private void read(String at, MapNode node) {
    ConfiguredFields.rejectUnknown(at + ".", node, "type", "name", "webhook");
    MapNode webhook = node.map("webhook");
    WebhookFields options = new WebhookFields(at, webhook, faults);
    Mode mode = mode(at, node.text("type"));
    if (mode == null) {
      return;
    }
    String name = node.text("name");
    checkName(at + ".name", name);
    if (mode != Mode.WEBHOOK) {
      if (node.has("webhook")) {
        faults.invalid(at + ".webhook", "non-null", "may only be specified when type=Webhook");
      }
      entries.add(new Entry(mode, name, null));
    } else if (node.has("webhook")) {
      entries.add(new Entry(mode, name, options.read()));
    } else {
      faults.required(at + ".webhook", "required when type=Webhook");
    }
  }

  /** The mode of a type that may stand here; null if it may not, which is a fault. */
  private @Nullable Mode mode(String at, String type) {
    if (type.isEmpty()) {
      faults.required(at + ".type", "");
      return null;
    }
    for (Mode mode : Mode.values()) {
      if (mode.word().equals(type)) {
        if (modes.add(mode) || mode == Mode.WEBHOOK) {
          return mode;
        }
        faults.duplicate(at + ".type", type);
        return null;
      }
    }
    faults.unsupported(at + ".type", GoQuote.quote(type), TYPES);
    return null;
  }

  private void checkName(String at, String name) {
    String problem = name.isEmpty() ? "" : Names.dnsSubdomain(name);
    if (name.isEmpty()) {
      faults.required(at, "");
    } else if (names.contains(name)) {
      faults.duplicate(at, name);
    } else if (!problem.isEmpty()) {
      faults.invalid(
          at, name, "authorizer name is invalid: " + String.join(", ", problem.lines().toList()));
    }
    names.add(name);
  }
}
