package dev.keelson.controller.bootstrap;

import java.security.cert.X509Certificate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whom the server trusts.
 *
 * @param clientAuthorities authorities of client certificates
 * @param proxy who may name users in headers, and in which; null if nobody may
 */
public record ClusterAuthenticationInfo(
    List<X509Certificate> clientAuthorities, @Nullable Proxy proxy) {

  /** Proxies that are trusted, as the {@code --requestheader-*} flags say. */
  public record Proxy(
      List<X509Certificate> authorities,
      List<String> usernameHeaders,
      List<String> uidHeaders,
      List<String> groupHeaders,
      List<String> extraPrefixes,
      List<String> allowedNames) {

    public Proxy {
      authorities = List.copyOf(authorities);
      usernameHeaders = List.copyOf(usernameHeaders);
      uidHeaders = List.copyOf(uidHeaders);
      groupHeaders = List.copyOf(groupHeaders);
      extraPrefixes = List.copyOf(extraPrefixes);
      allowedNames = List.copyOf(allowedNames);
    }
  }

  public ClusterAuthenticationInfo {
    clientAuthorities = List.copyOf(clientAuthorities);
  }
}
