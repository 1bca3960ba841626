package dev.keelson.server;

import dev.keelson.authz.AuthorizationOptions.Mode;
import dev.keelson.authz.webhook.WebhookAuthorizer.OnFailure;
import dev.keelson.authz.webhook.WebhookAuthorizer.Terms;
import dev.keelson.object.MapNode;
import dev.keelson.object.Node;
import dev.keelson.schema.codec.ObjectReader;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads an AuthorizationConfiguration (apiserver.config.k8s.io): which authorizers, in order. */
final class AuthorizationConfiguration {

  private static final String GROUP = "apiserver.config.k8s.io/";
  private static final Pattern DURATION = Pattern.compile("\\G(\\d+(?:\\.\\d+)?)(ms|s|m|h)");

  /**
   * One authorizer.
   *
   * @param webhook how the webhook is asked; null for the others
   */
  record Entry(Mode mode, String name, @Nullable Webhook webhook) {}

  /** How a webhook is asked. */
  record Webhook(Path kubeconfig, Duration timeout, Terms terms) {}

  private AuthorizationConfiguration() {}

  /**
   * The authorizers of a file.
   *
   * @throws StartException saying what is wrong with it
   */
  static List<Entry> read(Path file) {
    try {
      if (!(ObjectReader.untypedYaml(Files.readAllBytes(file)) instanceof MapNode root)
          || !root.text("kind").equals("AuthorizationConfiguration")
          || !root.text("apiVersion").startsWith(GROUP)) {
        throw new IllegalArgumentException(
            "kind AuthorizationConfiguration in " + GROUP + "v1 is expected");
      }
      List<Entry> entries = new ArrayList<>();
      Set<String> names = new HashSet<>();
      int number = 0;
      for (Node item : root.items("authorizers")) {
        String at = "authorizers[" + number++ + "]";
        Entry entry = entry(at, item instanceof MapNode map ? map : MapNode.EMPTY);
        if (!names.add(entry.name)) {
          throw new IllegalArgumentException(at + ".name: " + entry.name + " stands there twice");
        }
        if (entry.mode != Mode.WEBHOOK && entries.stream().anyMatch(e -> e.mode == entry.mode)) {
          throw new IllegalArgumentException(at + ".type: stands there twice");
        }
        entries.add(entry);
      }
      if (entries.isEmpty()) {
        throw new IllegalArgumentException("authorizers: at least one is needed");
      }
      return entries;
    } catch (IOException | RuntimeException e) {
      throw new StartException("--authorization-config: " + file + ": " + e.getMessage(), e);
    }
  }

  private static Entry entry(String at, MapNode node) {
    String type = node.text("type");
    Mode mode = null;
    for (Mode one :
        List.of(Mode.NODE, Mode.RBAC, Mode.WEBHOOK, Mode.ALWAYS_ALLOW, Mode.ALWAYS_DENY)) {
      if (one.word().equals(type)) {
        mode = one;
      }
    }
    if (mode == null) {
      throw new IllegalArgumentException(
          at
              + ".type: Node, RBAC, Webhook, AlwaysAllow or AlwaysDeny is expected, found \""
              + type
              + "\"");
    }
    String name = node.text("name");
    if (name.isEmpty()) {
      throw new IllegalArgumentException(at + ".name: is needed");
    }
    return new Entry(
        mode, name, mode == Mode.WEBHOOK ? webhook(at + ".webhook", node.map("webhook")) : null);
  }

  private static Webhook webhook(String at, MapNode node) {
    MapNode info = node.map("connectionInfo");
    if (!info.text("type").equals("KubeConfigFile") || info.text("kubeConfigFile").isEmpty()) {
      throw new IllegalArgumentException(
          at + ".connectionInfo: type KubeConfigFile with a kubeConfigFile is expected");
    }
    if (!node.items("matchConditions").isEmpty()) {
      throw new IllegalArgumentException(at + ".matchConditions: are not supported");
    }
    String version = node.text("subjectAccessReviewVersion");
    if (!version.equals("v1") && !version.equals("v1beta1")) {
      throw new IllegalArgumentException(
          at + ".subjectAccessReviewVersion: v1 or v1beta1 is expected, found \"" + version + "\"");
    }
    OnFailure onFailure =
        switch (node.text("failurePolicy")) {
          case "NoOpinion" -> OnFailure.NO_OPINION;
          case "Deny" -> OnFailure.DENY;
          default ->
              throw new IllegalArgumentException(
                  at + ".failurePolicy: NoOpinion or Deny is expected");
        };
    return new Webhook(
        Path.of(info.text("kubeConfigFile")),
        duration(at, node, "timeout", Duration.ofSeconds(30)),
        new Terms(
            version,
            kept(at, node, "authorizedTTL", "cacheAuthorizedRequests", Duration.ofMinutes(5)),
            kept(at, node, "unauthorizedTTL", "cacheUnauthorizedRequests", Duration.ofSeconds(30)),
            onFailure));
  }

  private static Duration kept(
      String at, MapNode node, String ttl, String toggle, Duration absent) {
    return node.get(toggle) == Node.Bool.FALSE ? Duration.ZERO : duration(at, node, ttl, absent);
  }

  private static Duration duration(String at, MapNode node, String key, Duration absent) {
    String text = node.text(key);
    if (text.isEmpty()) {
      return absent;
    }
    Matcher part = DURATION.matcher(text);
    BigDecimal millis = BigDecimal.ZERO;
    int end = 0;
    while (part.find()) {
      long unit =
          switch (part.group(2).toLowerCase(Locale.ROOT)) {
            case "ms" -> 1;
            case "s" -> 1_000;
            case "m" -> 60_000;
            default -> 3_600_000;
          };
      millis = millis.add(new BigDecimal(part.group(1)).multiply(BigDecimal.valueOf(unit)));
      end = part.end();
    }
    if (end == 0 || end != text.length()) {
      throw new IllegalArgumentException(
          at + "." + key + ": a duration such as 30s is expected, found \"" + text + "\"");
    }
    return Duration.ofMillis(millis.longValue());
  }
}
