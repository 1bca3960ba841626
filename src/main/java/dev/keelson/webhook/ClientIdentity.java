package dev.keelson.webhook;

import java.security.KeyStore;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An identity that is shown to a webhook.
 *
 * @param certificate the client certificate with its key, under the empty password; null for none
 * @param headers the headers of each request, such as Authorization
 * @param authorities certificates in PEM that are trusted beside those of the webhook's
 *     configuration; may be empty
 */
public record ClientIdentity(
    @Nullable KeyStore certificate, Map<String, String> headers, String authorities) {

  /** No identity. */
  public static final ClientIdentity ANONYMOUS = new ClientIdentity(null, Map.of(), "");

  public ClientIdentity {
    headers = Map.copyOf(headers);
  }
}
