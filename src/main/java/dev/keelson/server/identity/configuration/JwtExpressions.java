package dev.keelson.server.identity.configuration;

import dev.keelson.api.Names;
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
 * Parses the rules and claim mappings of one issuer in an AuthenticationConfiguration, with
 * kube-apiserver's validation in its order.
 */
final class JwtExpressions {

  /** The characters of a path (RFC 3986, section 3.3). */
  private static final String PATH = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";

  private static final Pattern IS_PATH = Pattern.compile(PATH);
  private static final List<String> RESERVED = List.of("k8s.io", "kubernetes.io");
  private static final String BOTH = "claim and expression can't both be set";
  private static final String EITHER = "claim or expression is required";

  private final String at;
  private final MapNode jwt;
  private final ConfigurationFaults faults;
  private @Nullable Environment claims;

  /**
   * @param at the field path of the issuer
   * @param faults takes what is invalid
   */
  JwtExpressions(String at, MapNode jwt, ConfigurationFaults faults) {
    this.at = at;
    this.jwt = jwt;
    this.faults = faults;
  }

  /** Parses the expressions; those that are invalid are left out. */
  ClaimExpressions read() {
    List<ClaimExpressions.Rule> claimRules = claimRules();
    MapNode mappings = jwt.map("claimMappings");
    Expression username = username(mappings.map("username"));
    Expression groups = mapping("groups", mappings.map("groups"));
    Expression uid = uid(mappings.map("uid"));
    List<ClaimExpressions.Extra> extra = extra(mappings.items("extra"));
    if (username != null) {
      checkEmail(username, extra, claimRules);
    }
    return new ClaimExpressions(username, groups, uid, extra, claimRules, userRules());
  }

  private @Nullable Expression ofClaims(String where, String text, ValueType result) {
    Environment environment = claims;
    if (environment == null) {
      environment = ClaimExpressions.claimEnvironment();
      claims = environment;
    }
    return ConfiguredFields.compile(faults, environment, where, text, result);
  }

  private @Nullable Expression username(MapNode node) {
    if (node.text("claim").isEmpty() && node.text("expression").isEmpty()) {
      faults.required(at + ".claimMappings.username", EITHER);
    }
    return mapping("username", node);
  }

  /** Parses the mapping of the user name or the groups, which may have a prefix. */
  private @Nullable Expression mapping(String name, MapNode node) {
    String where = at + ".claimMappings." + name;
    String text = node.text("expression");
    String claim = node.text("claim");
    if (!text.isEmpty() && !claim.isEmpty()) {
      faults.invalid(where, "", BOTH);
      return null;
    }
    if (!text.isEmpty()) {
      if (node.has("prefix")) {
        faults.invalid(
            where + ".prefix", node.text("prefix"), "may not be specified when expression is set");
      }
      return ofClaims(where + ".expression", text, Simple.ANY);
    }
    if (!claim.isEmpty() && !node.has("prefix")) {
      faults.required(
          where + ".prefix",
          "prefix is required when claim is set. It can be set to an empty string to disable"
              + " prefixing");
    }
    return null;
  }

  private @Nullable Expression uid(MapNode node) {
    String where = at + ".claimMappings.uid";
    ConfiguredFields.rejectUnknown(where + ".", node, "claim", "expression");
    String text = node.text("expression");
    if (!text.isEmpty() && !node.text("claim").isEmpty()) {
      faults.invalid(where, "", BOTH);
      return null;
    }
    return text.isEmpty() ? null : ofClaims(where + ".expression", text, Simple.ANY);
  }

  private List<ClaimExpressions.Extra> extra(List<Node> items) {
    List<ClaimExpressions.Extra> extra = new ArrayList<>();
    Set<String> keys = new HashSet<>();
    for (int i = 0; i < items.size(); i++) {
      String where = at + ".claimMappings.extra[" + i + "]";
      MapNode node = items.get(i) instanceof MapNode map ? map : MapNode.EMPTY;
      ConfiguredFields.rejectUnknown(where + ".", node, "key", "valueExpression");
      String key = node.text("key");
      checkKey(where + ".key", key);
      if (!keys.add(key)) {
        faults.duplicate(where + ".key", key);
        continue;
      }
      Expression values =
          ofClaims(where + ".valueExpression", node.text("valueExpression"), Simple.ANY);
      if (values != null) {
        extra.add(new ClaimExpressions.Extra(key, values));
      }
    }
    return extra;
  }

  private void checkKey(String where, String key) {
    checkDomainPath(where, key);
    if (!key.equals(key.toLowerCase(Locale.ROOT))) {
      faults.invalid(where, key, "must be lowercase");
    }
    int slash = key.indexOf('/');
    String domain = slash < 0 ? "" : key.substring(0, slash);
    if (RESERVED.stream().anyMatch(one -> domain.equals(one) || domain.endsWith("." + one))) {
      faults.invalid(
          where, key, "k8s.io, kubernetes.io and their subdomains are reserved for Kubernetes use");
    }
  }

  private void checkDomainPath(String where, String key) {
    int slash = key.indexOf('/');
    if (key.isEmpty()) {
      faults.required(where, "");
    } else if (slash <= 0 || slash == key.length() - 1) {
      faults.invalid(where, key, "must be a domain-prefixed path (such as \"acme.io/foo\")");
    } else {
      String domain = key.substring(0, slash);
      Names.dnsSubdomain(domain).lines().forEach(problem -> faults.invalid(where, domain, problem));
      String path = key.substring(slash + 1);
      if (!IS_PATH.matcher(path).matches()) {
        faults.invalid(where, path, "Invalid path (regex used for validation is '" + PATH + "')");
      }
    }
  }

  private List<ClaimExpressions.Rule> claimRules() {
    List<ClaimExpressions.Rule> rules = new ArrayList<>();
    Set<String> claimed = new HashSet<>();
    Set<String> texts = new HashSet<>();
    List<Node> items = jwt.items("claimValidationRules");
    for (int i = 0; i < items.size(); i++) {
      String where = at + ".claimValidationRules[" + i + "]";
      MapNode rule = items.get(i) instanceof MapNode map ? map : MapNode.EMPTY;
      ConfiguredFields.rejectUnknown(
          where + ".", rule, "claim", "requiredValue", "expression", "message");
      String claim = rule.text("claim");
      String text = rule.text("expression");
      if (!claim.isEmpty() && !text.isEmpty()) {
        faults.invalid(where, claim, BOTH);
      } else if (!claim.isEmpty()) {
        checkByName(where, rule, claimed);
      } else if (text.isEmpty()) {
        faults.required(where, EITHER);
      } else {
        Expression compiled = claimRule(where, rule, texts);
        if (compiled != null) {
          rules.add(new ClaimExpressions.Rule(compiled, rule.text("message")));
        }
      }
    }
    return rules;
  }

  private void checkByName(String where, MapNode rule, Set<String> claimed) {
    if (!rule.text("message").isEmpty()) {
      faults.invalid(
          where + ".message", rule.text("message"), "may not be specified when claim is set");
    }
    if (!claimed.add(rule.text("claim"))) {
      faults.duplicate(where + ".claim", rule.text("claim"));
    }
  }

  private @Nullable Expression claimRule(String where, MapNode rule, Set<String> texts) {
    if (!rule.text("requiredValue").isEmpty()) {
      faults.invalid(
          where + ".requiredValue",
          rule.text("requiredValue"),
          "may not be specified when expression is set");
    }
    String text = rule.text("expression");
    if (!texts.add(text)) {
      faults.duplicate(where + ".expression", text);
      return null;
    }
    return ofClaims(where + ".expression", text, Simple.BOOL);
  }

  private List<ClaimExpressions.Rule> userRules() {
    List<Node> items = jwt.items("userValidationRules");
    if (items.isEmpty()) {
      return List.of();
    }
    Environment environment = ClaimExpressions.userEnvironment();
    List<ClaimExpressions.Rule> rules = new ArrayList<>();
    Set<String> texts = new HashSet<>();
    for (int i = 0; i < items.size(); i++) {
      String where = at + ".userValidationRules[" + i + "]";
      MapNode rule = items.get(i) instanceof MapNode map ? map : MapNode.EMPTY;
      ConfiguredFields.rejectUnknown(where + ".", rule, "expression", "message");
      String text = rule.text("expression");
      if (!text.isEmpty() && !texts.add(text)) {
        faults.duplicate(where + ".expression", text);
        continue;
      }
      Expression compiled =
          ConfiguredFields.compile(faults, environment, where + ".expression", text, Simple.BOOL);
      if (compiled != null) {
        rules.add(new ClaimExpressions.Rule(compiled, rule.text("message")));
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
      faults.invalid(
          at + ".claimMappings.username.expression",
          username.text(),
          "claims.email_verified must be used in claimMappings.username.expression or"
              + " claimMappings.extra[*].valueExpression or claimValidationRules[*].expression when"
              + " claims.email is used in claimMappings.username.expression");
    }
  }
}
