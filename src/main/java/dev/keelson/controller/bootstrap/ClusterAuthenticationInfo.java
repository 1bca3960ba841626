package dev.keelson.controller.bootstrap;

import java.security.cert.X509Certificate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The CAs and headers that the server trusts.
 *
 * @param clientAuthorities the client CAs
 * @param proxy the front proxies and their headers; null if there are none
 */
public record ClusterAuthenticationInfo(
    List<X509Certificate> clientAuthorities, @Nullable Proxy proxy) {

  /** The trusted front proxies, from the {@code --requestheader-*} flags. */
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
