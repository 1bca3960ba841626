package dev.keelson.authn.oidc;

import java.time.Duration;

/** Records what becomes of the tokens and keys of issuers. Called on any thread; must not block. */
public interface IssuerMetrics {

  /** Records nothing. */
  IssuerMetrics NONE =
      new IssuerMetrics() {
        @Override
        public void verified(String issuer, boolean accepted, Duration took) {}

        @Override
        public void fetched(String issuer, String keySet) {}

        @Override
        public void notFetched(String issuer) {}

        @Override
        public void removed(String issuer) {}
      };

  /**
   * A token was looked at that was not in the cache.
   *
   * @param issuer the issuer's URL
   * @param accepted whether its user is authenticated
   * @param took the time that it took, with that of fetching keys
   */
  void verified(String issuer, boolean accepted, Duration took);

  /**
   * The keys of an issuer were fetched.
   *
   * @param keySet the document as it was sent
   */
  void fetched(String issuer, String keySet);

  /** The keys of an issuer could not be fetched. */
  void notFetched(String issuer);

  /** The tokens of an issuer are not accepted any more: what is known of its keys is forgotten. */
  void removed(String issuer);
}
