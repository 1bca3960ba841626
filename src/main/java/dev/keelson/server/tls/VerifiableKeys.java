package dev.keelson.server.tls;

import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECKey;
import java.security.interfaces.RSAKey;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Whether BoringSSL verifies the signatures of all clients that the server trusts: it does not
 * offer EdDSA and the curve P-521 to clients, so that one with such a key would send no
 * certificate. The keys of the authorities are taken for those of their clients.
 */
public final class VerifiableKeys implements BooleanSupplier {

  private static final int WIDEST_CURVE_BITS = 384;

  private record Seen(List<X509Certificate> authorities, boolean verifiable) {}

  private final Supplier<List<X509Certificate>> authorities;
  private volatile @Nullable Seen seen;

  /**
   * @param authorities those of clients and front proxies, now; called for each connection
   */
  public VerifiableKeys(Supplier<List<X509Certificate>> authorities) {
    this.authorities = authorities;
  }

  @Override
  public boolean getAsBoolean() {
    List<X509Certificate> now = authorities.get();
    Seen known = seen;
    if (known == null || !known.authorities.equals(now)) {
      known =
          new Seen(now, now.stream().allMatch(authority -> isVerifiable(authority.getPublicKey())));
      seen = known;
    }
    return known.verifiable;
  }

  static boolean isVerifiable(PublicKey key) {
    return switch (key) {
      case RSAKey rsa -> true;
      case ECKey ec -> ec.getParams().getCurve().getField().getFieldSize() <= WIDEST_CURVE_BITS;
      default -> false;
    };
  }
}
