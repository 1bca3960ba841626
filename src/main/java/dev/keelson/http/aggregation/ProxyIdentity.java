package dev.keelson.http.aggregation;

/**
 * The certificate with which this server shows remote API servers that it is the front proxy.
 *
 * @param certificate in PEM, with its intermediates
 * @param key in PEM
 */
public record ProxyIdentity(String certificate, String key) {

  @Override
  public String toString() {
    return "ProxyIdentity";
  }
}
