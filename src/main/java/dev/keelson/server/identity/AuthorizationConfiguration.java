package dev.keelson.server.identity;

import dev.keelson.authz.AuthorizationOptions.Mode;
import dev.keelson.authz.webhook.MatchConditions;
import dev.keelson.authz.webhook.WebhookAuthorizer.OnFailure;
import dev.keelson.authz.webhook.WebhookAuthorizer.Terms;
import dev.keelson.cel.Environment;
import dev.keelson.cel.Expression;
import dev.keelson.cel.ValueType.Simple;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.schema.codec.tree.DecodeException;
import dev.keelson.value.GoDuration;
import dev.keelson.value.ValueFormatException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Parses an AuthorizationConfiguration (apiserver.config.k8s.io): the authorizers in order. */
final class AuthorizationConfiguration {

  private static final String GROUP = "apiserver.config.k8s.io/";
  private static final Set<String> VERSIONS =
      Set.of(GROUP + "v1", GROUP + "v1beta1", GROUP + "v1alpha1");
  private static final Set<String> WEBHOOK_KEYS =
      Set.of(
          "authorizedTTL",
          "unauthorizedTTL",
          "cacheAuthorizedRequests",
          "cacheUnauthorizedRequests",
          "timeout",
          "subjectAccessReviewVersion",
          "matchConditionSubjectAccessReviewVersion",
          "failurePolicy",
          "connectionInfo",
          "matchConditions");
  private static final int MOST_CONDITIONS = 64;
  private static final Duration LONGEST_TIMEOUT = Duration.ofSeconds(30);

  /**
   * An authorizer.
   *
   * @param webhook the webhook options; null for other modes
   */
  record Entry(Mode mode, String name, @Nullable Webhook webhook) {}

  /** The options of a webhook. */
  record Webhook(Path kubeconfig, Duration timeout, Terms terms) {}

  private AuthorizationConfiguration() {}

  /**
   * Parses a file.
   *
   * @throws IllegalArgumentException naming the invalid field
   */
  static List<Entry> parse(String text) {
    MapNode root = root(text);
    if (!root.text("kind").equals("AuthorizationConfiguration")
        || !VERSIONS.contains(root.text("apiVersion"))) {
      throw new IllegalArgumentException(
          "expected kind AuthorizationConfiguration in " + GROUP + "v1");
    }
    checkKeys("", root, Set.of("apiVersion", "kind", "authorizers"));
    List<Entry> entries = new ArrayList<>();
    Set<String> names = new HashSet<>();
    int number = 0;
    for (Node item : root.items("authorizers")) {
      String at = "authorizers[" + number++ + "]";
      Entry entry = entry(at, item instanceof MapNode map ? map : MapNode.EMPTY);
      if (!names.add(entry.name)) {
        throw new IllegalArgumentException(at + ".name: duplicate value \"" + entry.name + "\"");
      }
      if (entry.mode != Mode.WEBHOOK && entries.stream().anyMatch(e -> e.mode == entry.mode)) {
        throw new IllegalArgumentException(
            at + ".type: duplicate value \"" + entry.mode.word() + "\"");
      }
      entries.add(entry);
    }
    if (entries.isEmpty()) {
      throw new IllegalArgumentException("authorizers: at least one is required");
    }
    return entries;
  }

  private static MapNode root(String text) {
    try {
      if (ObjectReader.untypedYaml(text.getBytes(StandardCharsets.UTF_8)) instanceof MapNode map) {
        return map;
      }
    } catch (DecodeException e) {
      throw new IllegalArgumentException(e.text(), e);
    }
    throw new IllegalArgumentException("expected an object");
  }

  /** Rejects unknown keys: an ignored key could be one that restricts access. */
  private static void checkKeys(String at, MapNode node, Set<String> known) {
    for (String key : node.keys()) {
      if (!known.contains(key)) {
        throw new IllegalArgumentException(
            (at.isEmpty() ? "" : at + ".") + key + ": unknown field");
      }
    }
  }

  private static Entry entry(String at, MapNode node) {
    checkKeys(at, node, Set.of("type", "name", "webhook"));
    String type = node.text("type");
    Mode mode = null;
    for (Mode one : Mode.values()) {
      if (one.word().equals(type)) {
        mode = one;
      }
    }
    if (mode == null) {
      throw new IllegalArgumentException(
          at
              + ".type: must be one of AlwaysAllow, AlwaysDeny, ABAC, Webhook, RBAC, Node,"
              + " found \""
              + type
              + "\"");
    }
    String name = node.text("name");
    if (name.isEmpty()) {
      throw new IllegalArgumentException(at + ".name: is required");
    }
    if (mode != Mode.WEBHOOK && node.has("webhook")) {
      throw new IllegalArgumentException(at + ".webhook: only allowed with type Webhook");
    }
    return new Entry(
        mode, name, mode == Mode.WEBHOOK ? webhook(at + ".webhook", node.map("webhook")) : null);
  }

  private static Webhook webhook(String at, MapNode node) {
    checkKeys(at, node, WEBHOOK_KEYS);
    MapNode info = node.map("connectionInfo");
    checkKeys(at + ".connectionInfo", info, Set.of("type", "kubeConfigFile"));
    if (!info.text("type").equals("KubeConfigFile") || info.text("kubeConfigFile").isEmpty()) {
      throw new IllegalArgumentException(
          at + ".connectionInfo: must have type KubeConfigFile and a kubeConfigFile");
    }
    String version = node.text("subjectAccessReviewVersion");
    if (!version.equals("v1") && !version.equals("v1beta1")) {
      throw new IllegalArgumentException(
          at + ".subjectAccessReviewVersion: must be v1 or v1beta1, found \"" + version + "\"");
    }
    OnFailure onFailure =
        switch (node.text("failurePolicy")) {
          case "NoOpinion" -> OnFailure.NO_OPINION;
          case "Deny" -> OnFailure.DENY;
          default ->
              throw new IllegalArgumentException(at + ".failurePolicy: must be NoOpinion or Deny");
        };
    Duration timeout = duration(at, node, "timeout", LONGEST_TIMEOUT);
    if (!timeout.isPositive() || timeout.compareTo(LONGEST_TIMEOUT) > 0) {
      throw new IllegalArgumentException(
          at + ".timeout: must be greater than 0s and not more than 30s");
    }
    return new Webhook(
        Path.of(info.text("kubeConfigFile")),
        timeout,
        new Terms(
            version,
            kept(at, node, "authorizedTTL", "cacheAuthorizedRequests", Duration.ofMinutes(5)),
            kept(at, node, "unauthorizedTTL", "cacheUnauthorizedRequests", Duration.ofSeconds(30)),
            onFailure,
            conditions(at, node)));
  }

  private static MatchConditions conditions(String at, MapNode node) {
    List<Node> items = node.items("matchConditions");
    String version = node.text("matchConditionSubjectAccessReviewVersion");
    if (!version.equals("v1") && !(version.isEmpty() && items.isEmpty())) {
      throw new IllegalArgumentException(
          at
              + ".matchConditionSubjectAccessReviewVersion: must be v1 with matchConditions,"
              + " found \""
              + version
              + "\"");
    }
    if (items.isEmpty()) {
      return MatchConditions.NONE;
    }
    if (items.size() > MOST_CONDITIONS) {
      throw new IllegalArgumentException(
          at + ".matchConditions: must have at most " + MOST_CONDITIONS + " items");
    }
    Environment environment = MatchConditions.environment();
    List<Expression> expressions = new ArrayList<>();
    Set<String> texts = new HashSet<>();
    for (Node item : items) {
      String where = at + ".matchConditions[" + expressions.size() + "]";
      MapNode condition = item instanceof MapNode map ? map : MapNode.EMPTY;
      checkKeys(where, condition, Set.of("expression"));
      expressions.add(
          ConfiguredFields.compile(
              environment, where + ".expression", condition.text("expression"), Simple.BOOL));
      if (!texts.add(expressions.getLast().text())) {
        throw new IllegalArgumentException(where + ".expression: duplicate value");
      }
    }
    return new MatchConditions(expressions);
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
    try {
      return GoDuration.parse(text).toDuration();
    } catch (ValueFormatException e) {
      throw new IllegalArgumentException(
          at + "." + key + ": must be a duration such as 30s, found \"" + text + "\"", e);
    }
  }
}
