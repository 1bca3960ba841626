package dev.keelson.server.identity;

import dev.keelson.authn.AnonymousAuthConfig;
import dev.keelson.authn.jwt.Jwt;
import dev.keelson.authn.oidc.ClaimExpressions;
import dev.keelson.authn.oidc.Issuer;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.pem.PemCertificates;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.schema.codec.tree.DecodeException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An AuthenticationConfiguration (apiserver.config.k8s.io; KEP-3331): JWT issuers and anonymous
 * requests.
 *
 * @param issuers the trusted issuers
 * @param anonymous the configuration of anonymous requests; null if the file has none
 */
record AuthenticationConfiguration(List<Trusted> issuers, @Nullable AnonymousAuthConfig anonymous) {

  private static final Set<String> VERSIONS =
      Set.of(
          "apiserver.config.k8s.io/v1alpha1",
          "apiserver.config.k8s.io/v1beta1",
          "apiserver.config.k8s.io/v1");
  private static final int MOST_ISSUERS = 64;

  /** An issuer with the CA certificates of its server; if empty, the host's are used. */
  record Trusted(Issuer issuer, List<X509Certificate> authorities) {}

  /**
   * Parses a configuration file.
   *
   * @param own the issuers of service account tokens, which are not allowed here
   * @throws IllegalArgumentException naming the invalid field
   */
  static AuthenticationConfiguration parse(String text, List<String> own) {
    MapNode root = root(text);
    if (!VERSIONS.contains(root.text("apiVersion"))
        || !root.text("kind").equals("AuthenticationConfiguration")) {
      throw new IllegalArgumentException(
          "expected kind AuthenticationConfiguration in apiserver.config.k8s.io/v1");
    }
    ConfiguredFields.rejectUnknown("", root, "apiVersion", "kind", "jwt", "anonymous");
    List<Trusted> issuers = new ArrayList<>();
    Set<String> urls = new HashSet<>();
    Set<String> discoveries = new HashSet<>();
    for (Node item : root.items("jwt")) {
      String at = "jwt[" + issuers.size() + "]";
      Trusted one = issuer(at, item instanceof MapNode map ? map : MapNode.EMPTY);
      String url = one.issuer().url();
      if (own.contains(url)) {
        throw new IllegalArgumentException(
            at + ".issuer.url: " + url + " is the issuer of service account tokens");
      }
      if (!urls.add(url)) {
        throw new IllegalArgumentException(at + ".issuer.url: duplicate value \"" + url + "\"");
      }
      if (!discoveries.add(one.issuer().discoveryUrl())) {
        throw new IllegalArgumentException(
            at + ".issuer.discoveryURL: duplicate value, or that of another issuer");
      }
      issuers.add(one);
    }
    if (issuers.size() > MOST_ISSUERS) {
      throw new IllegalArgumentException("jwt: more than " + MOST_ISSUERS + " issuers");
    }
    return new AuthenticationConfiguration(List.copyOf(issuers), anonymous(root));
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

  private static @Nullable AnonymousAuthConfig anonymous(MapNode root) {
    if (!root.has("anonymous")) {
      return null;
    }
    MapNode rule = root.map("anonymous");
    ConfiguredFields.rejectUnknown("anonymous.", rule, "enabled", "conditions");
    List<String> paths = new ArrayList<>();
    for (Node item : rule.items("conditions")) {
      String path = item instanceof MapNode map ? map.text("path") : "";
      if (!path.startsWith("/")) {
        throw new IllegalArgumentException(
            "anonymous.conditions[" + paths.size() + "].path: must begin with /");
      }
      paths.add(path);
    }
    boolean enabled = rule.get("enabled") == Node.Bool.TRUE;
    if (!enabled && !paths.isEmpty()) {
      throw new IllegalArgumentException(
          "anonymous.conditions: may not be set unless anonymous.enabled is true");
    }
    return new AnonymousAuthConfig(enabled, paths);
  }

  private static Trusted issuer(String at, MapNode jwt) {
    ConfiguredFields.rejectUnknown(
        at + ".", jwt, "issuer", "claimValidationRules", "claimMappings", "userValidationRules");
    MapNode issuer = jwt.map("issuer");
    String where = at + ".issuer.";
    ConfiguredFields.rejectUnknown(
        where,
        issuer,
        "url",
        "discoveryURL",
        "certificateAuthority",
        "audiences",
        "audienceMatchPolicy");
    String url = https(where + "url", issuer.text("url"));
    String discovery = issuer.text("discoveryURL");
    if (discovery.equals(url)) {
      throw new IllegalArgumentException(where + "discoveryURL: must differ from url");
    }
    String authorities = issuer.text("certificateAuthority");
    MapNode mappings = jwt.map("claimMappings");
    ConfiguredFields.rejectUnknown(
        at + ".claimMappings.", mappings, "username", "groups", "uid", "extra");
    ClaimExpressions expressions = new JwtExpressions(at, jwt).read();
    String claims = at + ".claimMappings.";
    MapNode username = mappings.map("username");
    if (username.text("claim").isEmpty() && username.text("expression").isEmpty()) {
      throw new IllegalArgumentException(claims + "username: claim or expression is required");
    }
    return new Trusted(
        new Issuer(
            url,
            discovery.isEmpty()
                ? Issuer.discoveryUrl(url)
                : https(where + "discoveryURL", discovery),
            audiences(where, issuer),
            mapping(claims + "username", username),
            mapping(claims + "groups", mappings.map("groups")),
            mappings.map("uid").text("claim"),
            required(at + ".claimValidationRules", jwt.items("claimValidationRules")),
            Jwt.ASYMMETRIC,
            expressions),
        authorities.isEmpty()
            ? List.of()
            : PemCertificates.parse(where + "certificateAuthority", authorities));
  }

  private static List<String> audiences(String at, MapNode issuer) {
    List<String> audiences = new ArrayList<>();
    for (Node item : issuer.items("audiences")) {
      if (!(item instanceof Node.Text(String audience)) || audience.isEmpty()) {
        throw new IllegalArgumentException(
            at + "audiences[" + audiences.size() + "]: must be a string");
      }
      audiences.add(audience);
    }
    if (audiences.isEmpty()) {
      throw new IllegalArgumentException(at + "audiences: at least one is required");
    }
    String policy = issuer.text("audienceMatchPolicy");
    if (!policy.equals("MatchAny") && (audiences.size() > 1 || !policy.isEmpty())) {
      throw new IllegalArgumentException(
          at + "audienceMatchPolicy: must be MatchAny, found \"" + policy + "\"");
    }
    return audiences;
  }

  /** Parses a claim mapping; the prefix is required with a claim. */
  private static Issuer.Mapping mapping(String at, MapNode node) {
    ConfiguredFields.rejectUnknown(at + ".", node, "claim", "prefix", "expression");
    String claim = node.text("claim");
    if (!claim.isEmpty() && !node.has("prefix")) {
      throw new IllegalArgumentException(at + ".prefix: is required with claim; it may be empty");
    }
    return new Issuer.Mapping(claim, node.text("prefix"));
  }

  private static Map<String, String> required(String at, List<Node> rules) {
    Map<String, String> required = new LinkedHashMap<>();
    int number = 0;
    for (Node item : rules) {
      String where = at + "[" + number++ + "]";
      MapNode rule = item instanceof MapNode map ? map : MapNode.EMPTY;
      if (rule.text("claim").isEmpty()) {
        continue; // an expression rule
      }
      if (required.put(rule.text("claim"), rule.text("requiredValue")) != null) {
        throw new IllegalArgumentException(
            where + ".claim: duplicate value \"" + rule.text("claim") + "\"");
      }
    }
    return required;
  }

  private static String https(String at, String text) {
    try {
      URI uri = URI.create(text);
      if ("https".equals(uri.getScheme())
          && uri.getHost() != null
          && uri.getUserInfo() == null
          && uri.getQuery() == null
          && uri.getFragment() == null) {
        return text;
      }
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(at + ": not a URL: \"" + text + "\"", e);
    }
    throw new IllegalArgumentException(
        at
            + ": must be an https:// URL with a host, without user, query and fragment, found"
            + " \""
            + text
            + "\"");
  }
}
