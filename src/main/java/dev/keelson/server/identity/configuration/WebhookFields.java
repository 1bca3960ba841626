package dev.keelson.server.identity.configuration;

import dev.keelson.authz.webhook.MatchConditions;
import dev.keelson.authz.webhook.WebhookAuthorizer.OnFailure;
import dev.keelson.authz.webhook.WebhookAuthorizer.Terms;
import dev.keelson.cel.Environment;
import dev.keelson.cel.Expression;
import dev.keelson.cel.ValueType.Simple;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.value.GoDuration;
import dev.keelson.value.GoQuote;
import dev.keelson.value.ValueFormatException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The webhook of an authorizer in an AuthorizationConfiguration (source: {@code
 * ValidateWebhookConfiguration}, which names fields without the {@code webhook} that they are in).
 *
 * @param at the field path of the authorizer
 * @param faults takes what is invalid
 */
record WebhookFields(String at, MapNode node, ConfigurationFaults faults) {

  private static final int MOST_CONDITIONS = 64;
  private static final GoDuration LONGEST_TIMEOUT = GoDuration.parse("30s");
  private static final GoDuration AUTHORIZED_TTL = GoDuration.parse("5m");
  private static final GoDuration UNAUTHORIZED_TTL = GoDuration.parse("30s");
  private static final GoDuration ZERO = new GoDuration(0);
  private static final String IN_CLUSTER = "InClusterConfig";
  private static final String IN_FILE = "KubeConfigFile";

  WebhookFields {
    ConfiguredFields.rejectUnknown(
        at + ".webhook.",
        node,
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
    ConfiguredFields.rejectUnknown(
        at + ".webhook.connectionInfo.", node.map("connectionInfo"), "type", "kubeConfigFile");
  }

  /** Reads the options; they are of use only if nothing is invalid. */
  ConfiguredWebhook read() {
    Duration timeout = timeout();
    Duration authorized = ttl("authorizedTTL", "cacheAuthorizedRequests", AUTHORIZED_TTL);
    Duration unauthorized = ttl("unauthorizedTTL", "cacheUnauthorizedRequests", UNAUTHORIZED_TTL);
    String version = version();
    checkConditionVersion();
    OnFailure onFailure = onFailure();
    Path kubeconfig = kubeconfig(node.map("connectionInfo"));
    return new ConfiguredWebhook(
        kubeconfig, timeout, new Terms(version, authorized, unauthorized, onFailure, conditions()));
  }

  private Duration timeout() {
    GoDuration timeout = duration("timeout");
    String field = at + ".timeout";
    if (timeout.equals(ZERO)) {
      faults.required(field, "");
    } else if (timeout.compareTo(LONGEST_TIMEOUT) > 0 || timeout.compareTo(ZERO) < 0) {
      faults.invalid(field, timeout.toString(), "must be > 0s and <= 30s");
    }
    return timeout.toDuration();
  }

  private Duration ttl(String key, String toggle, GoDuration absent) {
    GoDuration ttl = duration(key);
    if (ttl.compareTo(ZERO) < 0) {
      faults.invalid(at + "." + key, ttl.toString(), "must be > 0s");
    }
    if (node.get(toggle) == Node.Bool.FALSE) {
      return Duration.ZERO;
    }
    return (ttl.equals(ZERO) ? absent : ttl).toDuration();
  }

  /** A duration; zero if it is absent. */
  private GoDuration duration(String key) {
    String text = node.text(key);
    try {
      return text.isEmpty() ? ZERO : GoDuration.parse(text);
    } catch (ValueFormatException e) {
      throw new IllegalArgumentException(at + ".webhook." + key + ": " + e.getMessage(), e);
    }
  }

  private String version() {
    String version = node.text("subjectAccessReviewVersion");
    String field = at + ".subjectAccessReviewVersion";
    if (version.isEmpty()) {
      faults.required(field, "");
    } else if (!version.equals("v1") && !version.equals("v1beta1")) {
      faults.unsupported(field, GoQuote.quote(version), List.of("v1", "v1beta1"));
    }
    return version;
  }

  private void checkConditionVersion() {
    String version = node.text("matchConditionSubjectAccessReviewVersion");
    String field = at + ".matchConditionSubjectAccessReviewVersion";
    if (version.isEmpty()) {
      if (!node.items("matchConditions").isEmpty()) {
        faults.required(field, "required if match conditions are specified");
      }
    } else if (!version.equals("v1")) {
      faults.unsupported(field, GoQuote.quote(version), List.of("v1"));
    }
  }

  private OnFailure onFailure() {
    String policy = node.text("failurePolicy");
    String field = at + ".failurePolicy";
    switch (policy) {
      case "NoOpinion" -> {
        return OnFailure.NO_OPINION;
      }
      case "Deny" -> {
        return OnFailure.DENY;
      }
      case "" -> faults.required(field, "");
      default -> faults.unsupported(field, GoQuote.quote(policy), List.of("NoOpinion", "Deny"));
    }
    return OnFailure.DENY;
  }

  private Path kubeconfig(MapNode info) {
    String type = info.text("type");
    String file = info.text("kubeConfigFile");
    String field = at + ".connectionInfo.";
    switch (type) {
      case "" -> faults.required(field + "type", "");
      case IN_FILE -> checkFile(field + "kubeConfigFile", file);
      case IN_CLUSTER -> {
        if (info.has("kubeConfigFile")) {
          faults.invalid(
              field + "kubeConfigFile", file, "can only be set when type=KubeConfigFile");
        } else {
          faults.invalid(field + "type", type, "is not supported: the server is no pod");
        }
      }
      default ->
          faults.unsupported(
              field + "type",
              "{\"Type\":"
                  + GoQuote.quote(type)
                  + ",\"KubeConfigFile\":"
                  + (info.has("kubeConfigFile") ? GoQuote.quote(file) : "null")
                  + "}",
              List.of(IN_CLUSTER, IN_FILE));
    }
    return Path.of(file);
  }

  private void checkFile(String field, String file) {
    Path path = Path.of(file);
    if (file.isEmpty()) {
      faults.required(field, "");
    } else if (!path.isAbsolute()) {
      faults.invalid(field, file, "must be an absolute path");
    } else if (!Files.exists(path)) {
      faults.invalid(
          field, file, "error loading file: stat " + file + ": no such file or directory");
    } else if (!Files.isRegularFile(path)) {
      faults.invalid(field, file, "must be a regular file");
    }
  }

  private MatchConditions conditions() {
    List<Node> items = node.items("matchConditions");
    if (items.size() > MOST_CONDITIONS) {
      faults.tooMany(at + ".matchConditions", items.size(), MOST_CONDITIONS);
      return MatchConditions.NONE;
    }
    if (items.isEmpty()) {
      return MatchConditions.NONE;
    }
    Environment environment = MatchConditions.environment();
    List<Expression> expressions = new ArrayList<>();
    Set<String> texts = new HashSet<>();
    for (int i = 0; i < items.size(); i++) {
      MapNode condition = items.get(i) instanceof MapNode map ? map : MapNode.EMPTY;
      ConfiguredFields.rejectUnknown(
          at + ".webhook.matchConditions[" + i + "].", condition, "expression");
      String text = condition.text("expression");
      String field = at + ".matchConditions[" + i + "].expression";
      if (!text.isBlank() && !texts.add(text)) {
        faults.duplicate(field, text);
        continue;
      }
      Expression compiled = ConfiguredFields.compile(faults, environment, field, text, Simple.BOOL);
      if (compiled != null) {
        expressions.add(compiled);
      }
    }
    return new MatchConditions(expressions);
  }
}
