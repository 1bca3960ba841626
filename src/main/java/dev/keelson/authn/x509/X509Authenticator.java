package dev.keelson.authn.x509;

import dev.keelson.authn.Authentication;
import dev.keelson.authn.Authenticator;
import dev.keelson.authn.Credentials;
import dev.keelson.cache.ExpiringCache;
import dev.keelson.request.UserInfo;
import java.security.GeneralSecurityException;
import java.security.cert.CertPathBuilder;
import java.security.cert.CertStore;
import java.security.cert.CollectionCertStoreParameters;
import java.security.cert.PKIXBuilderParameters;
import java.security.cert.PKIXCertPathBuilderResult;
import java.security.cert.TrustAnchor;
import java.security.cert.X509CertSelector;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Authenticates client certificates. The TLS listener accepts any certificate, so that an invalid
 * one gets a 401 response instead of a closed connection; all checks are here: a path to a trusted
 * CA (RFC 5280, section 6), the validity periods and the extended key usage of client
 * authentication. Revocation is not checked.
 *
 * <p>A connection presents the same certificate with every request, and checking signatures is
 * expensive, so valid certificates are cached until the first certificate of their path expires.
 */
public final class X509Authenticator implements Authenticator {

  private static final String ANY_USE = "2.5.29.37.0";
  private static final String CLIENT_USE = "1.3.6.1.5.5.7.3.2";

  /** Maximum number of certificates in the cache. */
  private static final int MAX_CACHED = 4096;

  private final Set<TrustAnchor> authorities;
  private final InstantSource clock;
  private final ExpiringCache<X509Certificate, Authentication> cache;

  private record Outcome(Authentication outcome, Instant until) {}

  /**
   * @param authorities the trusted CA certificates; at least one
   */
  public X509Authenticator(Collection<X509Certificate> authorities, InstantSource clock) {
    if (authorities.isEmpty()) {
      throw new IllegalArgumentException("no CA certificates for client certificates");
    }
    this.authorities =
        authorities.stream()
            .map(authority -> new TrustAnchor(authority, null))
            .collect(Collectors.toUnmodifiableSet());
    this.clock = clock;
    this.cache = new ExpiringCache<>(MAX_CACHED, clock);
  }

  @Override
  public Authentication authenticate(Credentials credentials) {
    List<X509Certificate> chain = credentials.certificates();
    if (chain.isEmpty()) {
      return new Authentication.NoOpinion();
    }
    Instant now = clock.instant();
    Optional<Authentication> cached = cache.get(chain.getFirst());
    if (cached.isPresent()) {
      return cached.get();
    }
    try {
      Outcome found = check(chain, now);
      cache.put(chain.getFirst(), found.outcome(), Duration.between(now, found.until()));
      return found.outcome();
    } catch (GeneralSecurityException e) {
      return new Authentication.Rejected(
          "client certificate of \"%s\": %s"
              .formatted(chain.getFirst().getSubjectX500Principal(), e.getMessage()));
    }
  }

  private Outcome check(List<X509Certificate> chain, Instant now) throws GeneralSecurityException {
    X509CertSelector target = new X509CertSelector();
    target.setCertificate(chain.getFirst());
    PKIXBuilderParameters parameters = new PKIXBuilderParameters(authorities, target);
    parameters.setRevocationEnabled(false);
    parameters.setDate(Date.from(now));
    parameters.addCertStore(
        CertStore.getInstance("Collection", new CollectionCertStoreParameters(chain)));
    var result = (PKIXCertPathBuilderResult) CertPathBuilder.getInstance("PKIX").build(parameters);
    Instant until = result.getTrustAnchor().getTrustedCert().getNotAfter().toInstant();
    for (var certificate : result.getCertPath().getCertificates()) {
      X509Certificate x509 = (X509Certificate) certificate;
      requireClientUse(x509);
      Instant end = x509.getNotAfter().toInstant();
      until = end.isBefore(until) ? end : until;
    }
    if (!now.isBefore(until)) {
      throw new GeneralSecurityException("its CA certificate has expired");
    }
    Optional<UserInfo> user = Subject.user(chain.getFirst());
    return new Outcome(
        user.<Authentication>map(Authentication.Authenticated::new)
            .orElseGet(Authentication.NoOpinion::new),
        until);
  }

  /** RFC 5280, section 4.2.1.12: without the extension every usage is allowed. */
  private static void requireClientUse(X509Certificate certificate)
      throws GeneralSecurityException {
    List<String> uses = certificate.getExtendedKeyUsage();
    if (uses != null && !uses.contains(CLIENT_USE) && !uses.contains(ANY_USE)) {
      throw new GeneralSecurityException(
          "\"%s\" has no extended key usage clientAuth"
              .formatted(certificate.getSubjectX500Principal()));
    }
  }
}
