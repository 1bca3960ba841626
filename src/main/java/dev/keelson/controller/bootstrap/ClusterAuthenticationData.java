package dev.keelson.controller.bootstrap;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.pem.PemCertificates;
import dev.keelson.pem.PemException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The data of the ConfigMap in kube-apiserver's format: certificates in PEM, lists in JSON. Entries
 * of other servers of the same store are kept, except expired certificates.
 */
final class ClusterAuthenticationData {

  private static final String CLIENTS = "client-ca-file";
  private static final String PROXY = "requestheader-";
  private static final String PROXIES = PROXY + "client-ca-file";

  private ClusterAuthenticationData() {}

  /** Merges {@code trust} into the data. */
  static MapNode with(MapNode data, ClusterAuthenticationInfo trust, Instant now) {
    MapNode merged = certificates(data, CLIENTS, trust.clientAuthorities(), now);
    ClusterAuthenticationInfo.Proxy proxy = trust.proxy();
    if (proxy == null) {
      return merged;
    }
    merged = certificates(merged, PROXIES, proxy.authorities(), now);
    merged = names(merged, "username-headers", proxy.usernameHeaders());
    if (!proxy.uidHeaders().isEmpty()) {
      merged = names(merged, "uid-headers", proxy.uidHeaders());
    }
    merged = names(merged, "group-headers", proxy.groupHeaders());
    merged = names(merged, "extra-headers-prefix", proxy.extraPrefixes());
    return names(merged, "allowed-names", proxy.allowedNames());
  }

  private static MapNode certificates(
      MapNode data, String key, List<X509Certificate> added, Instant now) {
    Set<X509Certificate> all = new LinkedHashSet<>(parse(data.text(key)));
    all.addAll(added);
    all.removeIf(certificate -> certificate.getNotAfter().toInstant().isBefore(now));
    return all.isEmpty() ? data : data.with(key, Node.text(PemCertificates.text(all)));
  }

  private static List<X509Certificate> parse(String pem) {
    try {
      return pem.isEmpty() ? List.of() : PemCertificates.parse("ConfigMap", pem);
    } catch (PemException e) {
      // unreadable: replaced by what this server knows
      return List.of();
    }
  }

  /** Adds names to a JSON list. */
  private static MapNode names(MapNode data, String key, List<String> added) {
    Set<String> all = new LinkedHashSet<>(list(data.text(PROXY + key)));
    added.forEach(name -> all.add(quoted(name)));
    return data.with(PROXY + key, Node.text("[" + String.join(",", all) + "]"));
  }

  /**
   * Splits a JSON list of strings into its quoted elements; empty if it is malformed. By hand,
   * since controllers do not use the codecs, and the lists hold names of headers and of users only.
   */
  private static List<String> list(String json) {
    Set<String> found = new LinkedHashSet<>();
    int from = -1;
    for (int i = 0; i < json.length(); i++) {
      switch (json.charAt(i)) {
        case '"' -> {
          if (from >= 0) {
            found.add(json.substring(from, i + 1));
          }
          from = from < 0 ? i : -1;
        }
        // an escaped quote does not end the string
        case '\\' -> i += from < 0 ? 0 : 1;
        default -> {}
      }
    }
    return List.copyOf(found);
  }

  private static String quoted(String name) {
    return '"' + name.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }
}
