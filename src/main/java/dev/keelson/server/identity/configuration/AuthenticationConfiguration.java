package dev.keelson.server.identity.configuration;

import dev.keelson.authn.AnonymousAuthConfig;
import dev.keelson.authn.jwt.Jwt;
import dev.keelson.authn.oidc.ClaimExpressions;
import dev.keelson.authn.oidc.Issuer;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.value.GoQuote;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * An AuthenticationConfiguration (apiserver.config.k8s.io; KEP-3331): JWT issuers and anonymous
 * requests, with kube-apiserver's validation (source: {@code ValidateAuthenticationConfiguration}).
 *
 * @param issuers the trusted issuers
 * @param anonymous the configuration of anonymous requests; null if the file has none
 */
public record AuthenticationConfiguration(
    List<Trusted> issuers, @Nullable AnonymousAuthConfig anonymous) {

  private static final Set<String> VERSIONS =
      Set.of(
          "apiserver.config.k8s.io/v1alpha1",
          "apiserver.config.k8s.io/v1beta1",
          "apiserver.config.k8s.io/v1");
  private static final int MOST_ISSUERS = 64;

  /** An issuer with the CA certificates of its server; if empty, the host's are used. */
  public record Trusted(Issuer issuer, List<X509Certificate> authorities) {}

  /**
   * Parses a configuration file.
   *
   * @param own the issuers of service account tokens, which are not allowed here
   * @throws IllegalArgumentException naming every invalid field
   */
  public static AuthenticationConfiguration parse(String text, List<String> own) {
    MapNode root = ConfiguredFields.root(text);
    if (!VERSIONS.contains(root.text("apiVersion"))
        || !root.text("kind").equals("AuthenticationConfiguration")) {
      throw new IllegalArgumentException(
          "expected kind AuthenticationConfiguration in apiserver.config.k8s.io/v1");
    }
    ConfiguredFields.rejectUnknown("", root, "apiVersion", "kind", "jwt", "anonymous");
    ConfigurationFaults faults = new ConfigurationFaults();
    List<Node> items = root.items("jwt");
    if (items.size() > MOST_ISSUERS) {
      faults.tooMany("jwt", items.size(), MOST_ISSUERS);
      faults.check();
    }
    List<Trusted> issuers = new ArrayList<>();
    Set<String> urls = new HashSet<>();
    Set<String> discoveries = new HashSet<>();
    for (Node item : items) {
      String at = "jwt[" + issuers.size() + "]";
      MapNode jwt = item instanceof MapNode map ? map : MapNode.EMPTY;
      issuers.add(issuer(at, jwt, own, faults));
      String url = jwt.map("issuer").text("url");
      if (!urls.add(url)) {
        faults.duplicate(at + ".issuer.url", url);
      }
      String discovery = jwt.map("issuer").text("discoveryURL");
      if (!discovery.isEmpty() && !discoveries.add(discovery)) {
        faults.duplicate(at + ".issuer.discoveryURL", discovery);
      }
    }
    AnonymousAuthConfig anonymous = anonymous(root, faults);
    faults.check();
    return new AuthenticationConfiguration(List.copyOf(issuers), anonymous);
  }

  /**
   * Returns the configuration of anonymous requests: that of the file, or else {@code flag}.
   *
   * @param given whether the flag was given, with which the file must not have one
   * @throws IllegalArgumentException if both are there
   */
  public AnonymousAuthConfig anonymousOr(AnonymousAuthConfig flag, boolean given) {
    AnonymousAuthConfig own = anonymous;
    if (own != null && given) {
      throw new IllegalArgumentException(
          "anonymous: Forbidden: --anonymous-auth flag cannot be set when anonymous field is"
              + " configured in authentication configuration file");
    }
    return own == null ? flag : own;
  }

  private static @Nullable AnonymousAuthConfig anonymous(MapNode root, ConfigurationFaults faults) {
    if (!root.has("anonymous")) {
      return null;
    }
    MapNode rule = root.map("anonymous");
    ConfiguredFields.rejectUnknown("anonymous.", rule, "enabled", "conditions");
    List<String> paths = new ArrayList<>();
    for (MapNode condition : rule.maps("conditions")) {
      ConfiguredFields.rejectUnknown(
          "anonymous.conditions[" + paths.size() + "].", condition, "path");
      paths.add(condition.text("path"));
    }
    boolean enabled = rule.get("enabled") == Node.Bool.TRUE;
    if (!enabled && !paths.isEmpty()) {
      faults.invalidShown(
          "anonymous.conditions",
          paths.stream()
              .map(path -> "{\"Path\":" + GoQuote.quote(path) + "}")
              .collect(Collectors.joining(",", "[", "]")),
          "enabled should be set to true when conditions are defined");
    }
    return new AnonymousAuthConfig(enabled, paths);
  }

  private static Trusted issuer(
      String at, MapNode jwt, List<String> own, ConfigurationFaults faults) {
    ConfiguredFields.rejectUnknown(
        at + ".", jwt, "issuer", "claimValidationRules", "claimMappings", "userValidationRules");
    MapNode mappings = jwt.map("claimMappings");
    String claims = at + ".claimMappings.";
    ConfiguredFields.rejectUnknown(claims, mappings, "username", "groups", "uid", "extra");
    JwtIssuer issuer = new JwtIssuer(at + ".issuer.", jwt.map("issuer"), faults);
    List<X509Certificate> authorities = issuer.check(own);
    ClaimExpressions expressions = new JwtExpressions(at, jwt, faults).read();
    return new Trusted(
        new Issuer(
            issuer.url(),
            issuer.discoveryUrl(),
            issuer.audiences(),
            mapping(claims + "username", mappings.map("username")),
            mapping(claims + "groups", mappings.map("groups")),
            mappings.map("uid").text("claim"),
            required(jwt.maps("claimValidationRules")),
            Jwt.ASYMMETRIC,
            expressions),
        authorities);
  }

  private static Issuer.Mapping mapping(String at, MapNode node) {
    ConfiguredFields.rejectUnknown(at + ".", node, "claim", "prefix", "expression");
    return new Issuer.Mapping(node.text("claim"), node.text("prefix"));
  }

  /** The rules that name a claim; those with an expression have none. */
  private static Map<String, String> required(List<MapNode> rules) {
    Map<String, String> required = new LinkedHashMap<>();
    for (MapNode rule : rules) {
      if (!rule.text("claim").isEmpty()) {
        required.put(rule.text("claim"), rule.text("requiredValue"));
      }
    }
    return required;
  }
}
