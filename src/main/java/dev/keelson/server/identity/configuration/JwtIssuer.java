package dev.keelson.server.identity.configuration;

import dev.keelson.authn.oidc.Issuer;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.pem.PemBlocks;
import dev.keelson.pem.PemCertificates;
import dev.keelson.pem.PemException;
import java.net.URI;
import java.net.URISyntaxException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The issuer of a JWT authenticator in an AuthenticationConfiguration.
 *
 * @param at the field path, with a dot at its end
 * @param faults takes what is invalid
 */
record JwtIssuer(String at, MapNode node, ConfigurationFaults faults) {

  private static final String MATCH_ANY = "MatchAny";

  JwtIssuer {
    ConfiguredFields.rejectUnknown(
        at,
        node,
        "url",
        "discoveryURL",
        "certificateAuthority",
        "audiences",
        "audienceMatchPolicy",
        "egressSelectorType");
  }

  String url() {
    return node.text("url");
  }

  /** The URL of the discovery document: that of the file, or the one that follows from the URL. */
  String discoveryUrl() {
    String given = node.text("discoveryURL");
    return given.isEmpty() ? Issuer.discoveryUrl(url()) : given;
  }

  List<String> audiences() {
    List<String> audiences = new ArrayList<>();
    for (Node item : node.items("audiences")) {
      audiences.add(item instanceof Node.Text(String audience) ? audience : "");
    }
    return audiences;
  }

  /**
   * Validates every field.
   *
   * @param own the issuers of service account tokens
   * @return the CA certificates
   */
  List<X509Certificate> check(List<String> own) {
    if (url().isEmpty()) {
      faults.required(at + "url", "");
    } else {
      checkUrl(at + "url", url(), own);
    }
    checkDiscovery(node.text("discoveryURL"));
    checkAudiences(audiences(), node.text("audienceMatchPolicy"));
    List<X509Certificate> authorities = authorities(node.text("certificateAuthority"));
    checkEgress(node.text("egressSelectorType"));
    return authorities;
  }

  private void checkDiscovery(String discovery) {
    if (discovery.isEmpty()) {
      return;
    }
    if (!url().isEmpty() && withoutSlashes(url()).equals(withoutSlashes(discovery))) {
      faults.invalid(at + "discoveryURL", discovery, "discoveryURL must be different from URL");
    }
    checkUrl(at + "discoveryURL", discovery, List.of());
  }

  private static String withoutSlashes(String url) {
    int end = url.length();
    while (end > 0 && url.charAt(end - 1) == '/') {
      end--;
    }
    return url.substring(0, end);
  }

  private void checkUrl(String field, String url, List<String> own) {
    if (own.contains(url)) {
      faults.invalid(
          field,
          url,
          "URL must not overlap with disallowed issuers: ["
              + String.join(" ", new TreeSet<>(own))
              + "]");
    }
    URI uri = uri(field, url);
    if (uri == null) {
      return;
    }
    if (!"https".equals(uri.getScheme())) {
      faults.invalid(field, url, "URL scheme must be https");
    }
    if (uri.getRawAuthority() != null && uri.getRawAuthority().indexOf('@') >= 0) {
      faults.invalid(field, url, "URL must not contain a username or password");
    }
    if (uri.getRawQuery() != null && !uri.getRawQuery().isEmpty()) {
      faults.invalid(field, url, "URL must not contain a query");
    }
    if (uri.getRawFragment() != null && !uri.getRawFragment().isEmpty()) {
      faults.invalid(field, url, "URL must not contain a fragment");
    }
  }

  /** Parses a URL; null if it is none, which is a fault. */
  private @Nullable URI uri(String field, String url) {
    try {
      URI uri = new URI(url);
      String authority = uri.getRawAuthority();
      String port = authority == null ? "" : port(authority);
      if (port.chars().skip(1).allMatch(c -> c >= '0' && c <= '9')) {
        return uri;
      }
      faults.invalid(field, url, "parse \"" + url + "\": invalid port \"" + port + "\" after host");
    } catch (URISyntaxException e) {
      faults.invalid(field, url, "parse \"" + url + "\": " + e.getReason());
    }
    return null;
  }

  /** The port with its colon, or empty. */
  private static String port(String authority) {
    int host = Math.max(authority.lastIndexOf('@'), authority.lastIndexOf(']'));
    int colon = authority.lastIndexOf(':');
    return colon > host ? authority.substring(colon) : "";
  }

  private void checkAudiences(List<String> audiences, String policy) {
    String field = at + "audiences";
    if (audiences.isEmpty()) {
      faults.required(field, "at least one " + field + " is required");
      return;
    }
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < audiences.size(); i++) {
      String audience = audiences.get(i);
      if (audience.isEmpty()) {
        faults.required(field + "[" + i + "]", "");
      }
      if (!seen.add(audience)) {
        faults.duplicate(field + "[" + i + "]", audience);
      }
    }
    if (audiences.size() > 1 && !policy.equals(MATCH_ANY)) {
      faults.invalid(
          at + "audienceMatchPolicy",
          policy,
          "audienceMatchPolicy must be MatchAny for multiple audiences");
    }
    if (audiences.size() == 1 && !policy.isEmpty() && !policy.equals(MATCH_ANY)) {
      faults.invalid(
          at + "audienceMatchPolicy",
          policy,
          "audienceMatchPolicy must be empty or MatchAny for single audience");
    }
  }

  private List<X509Certificate> authorities(String pem) {
    String field = at + "certificateAuthority";
    if (pem.isEmpty()) {
      return List.of();
    }
    if (PemBlocks.in(pem).stream().noneMatch(block -> block.type().equals(PemCertificates.TYPE))) {
      faults.invalid(
          field, "<omitted>", "data does not contain any valid RSA or ECDSA certificates");
      return List.of();
    }
    try {
      return PemCertificates.parse(field, pem);
    } catch (PemException e) {
      faults.invalid(field, "<omitted>", String.valueOf(e.getMessage()));
      return List.of();
    }
  }

  private void checkEgress(String type) {
    String field = at + "egressSelectorType";
    if (type.isEmpty()) {
      return;
    }
    faults.invalid(
        field,
        type,
        type.equals("controlplane") || type.equals("cluster")
            ? "egress selectors are not supported"
            : "egress selector must be either controlplane or cluster");
  }
}
