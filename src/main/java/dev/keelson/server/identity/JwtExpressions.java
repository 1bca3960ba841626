package dev.keelson.server.identity;

import dev.keelson.authn.oidc.ClaimExpressions;
import dev.keelson.cel.Environment;
import dev.keelson.cel.Expression;
import dev.keelson.cel.ValueType;
import dev.keelson.cel.ValueType.Simple;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Parses the CEL expressions of one issuer in an AuthenticationConfiguration, with kube-apiserver's
 * validation.
 */
final class JwtExpressions {

  private static final Pattern SUBDOMAIN =
      Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

  /** The characters of a path (RFC 3986, section 3.3). */
  private static final Pattern PATH = Pattern.compile("[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+");

  private static final int LONGEST_DOMAIN = 253;

  private final String at;
  private final MapNode jwt;
  private @Nullable Environment claims;

  /**
   * @param at the field path of the issuer
   */
  JwtExpressions(String at, MapNode jwt) {
    this.at = at;
    this.jwt = jwt;
  }

  /**
   * Parses the expressions.
   *
   * @throws IllegalArgumentException naming the invalid field
   */
  ClaimExpressions read() {
    List<ClaimExpressions.Rule> claimRules = claimRules();
    MapNode mappings = jwt.map("claimMappings");
    Expression username = mapping("username", mappings.map("username"));
    Expression groups = mapping("groups", mappings.map("groups"));
    Expression uid = mapping("uid", mappings.map("uid"));
    List<ClaimExpressions.Extra> extra = extra(mappings.items("extra"));
    if (username != null) {
      checkEmail(username, extra, claimRules);
    }
    return new ClaimExpressions(username, groups, uid, extra, claimRules, userRules());
  }

  private Expression ofClaims(String where, String text, ValueType result) {
    Environment environment = claims;
    if (environment == null) {
      environment = ClaimExpressions.claimEnvironment();
      claims = environment;
    }
    return ConfiguredFields.compile(environment, where, text, result);
  }

  private @Nullable Expression mapping(String name, MapNode node) {
    String where = at + ".claimMappings." + name;
    if (name.equals("uid")) {
      ConfiguredFields.rejectUnknown(where + ".", node, "claim", "expression");
    }
    String text = node.text("expression");
    if (text.isEmpty()) {
      if (node.text("claim").isEmpty() && !node.text("prefix").isEmpty()) {
        throw wrong(where + ".prefix", "a claim is needed when prefix is set");
      }
      return null;
    }
    if (!node.text("claim").isEmpty()) {
      throw wrong(where, "claim and expression can't both be set");
    }
    if (node.has("prefix")) {
      throw wrong(where + ".prefix", "prefix can't be set when expression is set");
    }
    return ofClaims(where + ".expression", text, Simple.ANY);
  }

  private List<ClaimExpressions.Extra> extra(List<Node> items) {
    List<ClaimExpressions.Extra> extra = new ArrayList<>();
    Set<String> keys = new HashSet<>();
    for (Node item : items) {
      String where = at + ".claimMappings.extra[" + extra.size() + "]";
      MapNode node = item instanceof MapNode map ? map : MapNode.EMPTY;
      ConfiguredFields.rejectUnknown(where + ".", node, "key", "valueExpression");
      String key = node.text("key");
      checkKey(where + ".key", key);
      if (!keys.add(key)) {
        throw wrong(where + ".key", "duplicate value \"" + key + "\"");
      }
      extra.add(
          new ClaimExpressions.Extra(
              key, ofClaims(where + ".valueExpression", node.text("valueExpression"), Simple.ANY)));
    }
    return extra;
  }

  private static void checkKey(String where, String key) {
    if (key.isEmpty()) {
      throw wrong(where, "is required");
    }
    if (!key.equals(key.toLowerCase(Locale.ROOT))) {
      throw wrong(where, "key must be lowercase, found \"" + key + "\"");
    }
    int slash = key.indexOf('/');
    String domain = slash < 0 ? "" : key.substring(0, slash);
    if (domain.length() > LONGEST_DOMAIN
        || !SUBDOMAIN.matcher(domain).matches()
        || !PATH.matcher(key.substring(slash + 1)).matches()) {
      throw wrong(
          where, "must be a domain-prefixed path (such as \"acme.io/foo\"), found \"" + key + "\"");
    }
    for (String reserved : List.of("k8s.io", "kubernetes.io")) {
      if (domain.equals(reserved) || domain.endsWith("." + reserved)) {
        throw wrong(
            where, "k8s.io, kubernetes.io and their subdomains are reserved for Kubernetes use");
      }
    }
  }

  private List<ClaimExpressions.Rule> claimRules() {
    List<ClaimExpressions.Rule> rules = new ArrayList<>();
    Set<String> texts = new HashSet<>();
    int number = 0;
    for (Node item : jwt.items("claimValidationRules")) {
      String where = at + ".claimValidationRules[" + number++ + "]";
      MapNode rule = item instanceof MapNode map ? map : MapNode.EMPTY;
      ConfiguredFields.rejectUnknown(
          where + ".", rule, "claim", "requiredValue", "expression", "message");
      String text = rule.text("expression");
      if (text.isEmpty()) {
        checkByName(where, rule);
        continue;
      }
      if (!rule.text("claim").isEmpty()) {
        throw wrong(where, "claim and expression can't both be set");
      }
      if (!rule.text("requiredValue").isEmpty()) {
        throw wrong(where + ".requiredValue", "requiredValue can't be set when expression is set");
      }
      if (!texts.add(text)) {
        throw wrong(where + ".expression", "duplicate value");
      }
      rules.add(
          new ClaimExpressions.Rule(
              ofClaims(where + ".expression", text, Simple.BOOL), rule.text("message")));
    }
    return rules;
  }

  private static void checkByName(String where, MapNode rule) {
    if (rule.text("claim").isEmpty()) {
      throw wrong(where, "claim or expression is required");
    }
    if (!rule.text("message").isEmpty()) {
      throw wrong(where + ".message", "message can't be set when claim is set");
    }
  }

  private List<ClaimExpressions.Rule> userRules() {
    List<Node> items = jwt.items("userValidationRules");
    if (items.isEmpty()) {
      return List.of();
    }
    Environment environment = ClaimExpressions.userEnvironment();
    List<ClaimExpressions.Rule> rules = new ArrayList<>();
    Set<String> texts = new HashSet<>();
    for (Node item : items) {
      String where = at + ".userValidationRules[" + rules.size() + "]";
      MapNode rule = item instanceof MapNode map ? map : MapNode.EMPTY;
      ConfiguredFields.rejectUnknown(where + ".", rule, "expression", "message");
      String text = rule.text("expression");
      rules.add(
          new ClaimExpressions.Rule(
              ConfiguredFields.compile(environment, where + ".expression", text, Simple.BOOL),
              rule.text("message")));
      if (!texts.add(text)) {
        throw wrong(where + ".expression", "duplicate value");
      }
    }
    return rules;
  }

  /** Unverified e-mail addresses must not become user names. */
  private void checkEmail(
      Expression username,
      List<ClaimExpressions.Extra> extra,
      List<ClaimExpressions.Rule> claimRules) {
    if (username.looksAt("claims", "email")
        && Stream.of(
                Stream.of(username),
                extra.stream().map(ClaimExpressions.Extra::values),
                claimRules.stream().map(ClaimExpressions.Rule::expression))
            .flatMap(some -> some)
            .noneMatch(one -> one.looksAt("claims", "email_verified"))) {
      throw wrong(
          at + ".claimMappings.username.expression",
          "claims.email_verified must be used in claimMappings.username.expression or"
              + " claimMappings.extra[*].valueExpression or claimValidationRules[*].expression when"
              + " claims.email is used in claimMappings.username.expression");
    }
  }

  private static IllegalArgumentException wrong(String where, String message) {
    return new IllegalArgumentException(where + ": " + message);
  }
}
