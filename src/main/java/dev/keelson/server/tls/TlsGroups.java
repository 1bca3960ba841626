package dev.keelson.server.tls;

import dev.keelson.server.lifecycle.StartupException;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.Set;
import javax.net.ssl.SSLContext;

/** Limits the groups of TLS key exchange of this process. */
public final class TlsGroups {

  /** The group that only BoringSSL has, which gets its groups from {@link NativeTls}. */
  private static final String HYBRID = "X25519MLKEM768";

  private TlsGroups() {}

  /**
   * Allows only some groups; called before the first use of TLS.
   *
   * @param groups the names of JSSE; empty for its defaults
   * @throws StartupException if the groups do not take effect
   */
  public static void limitTo(List<String> groups) {
    if (groups.isEmpty()) {
      return;
    }
    List<String> named = groups.stream().filter(group -> !group.equals(HYBRID)).toList();
    if (named.isEmpty()) {
      throw new StartupException(
          "--tls-curve-preferences: 4588 needs another group beside it", null);
    }
    System.setProperty("jdk.tls.namedGroups", String.join(",", named));
    String[] effective;
    try {
      effective = SSLContext.getDefault().getSupportedSSLParameters().getNamedGroups();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has TLS", e);
    }
    if (effective != null && !Set.copyOf(groups).containsAll(List.of(effective))) {
      String text =
          "--tls-curve-preferences: %s cannot be set, in effect are %s"
              .formatted(groups, List.of(effective));
      throw new StartupException(text, new IllegalStateException(text));
    }
  }
}
