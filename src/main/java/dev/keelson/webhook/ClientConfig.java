package dev.keelson.webhook;

import dev.keelson.object.Node.MapNode;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * How to reach a webhook (source: {@code WebhookClientConfig} of apiextensions and
 * admissionregistration).
 *
 * @param url the URL of the webhook; empty if {@code service} is set
 * @param service the Service of the webhook; null if {@code url} is set
 * @param caBundle the trusted certificates in PEM; empty for the system's
 */
public record ClientConfig(String url, @Nullable ServiceReference service, String caBundle) {

  /** Reads a {@code clientConfig}; tolerant, since validation has checked it. */
  public static ClientConfig of(MapNode config) {
    return new ClientConfig(
        config.text("url"),
        config.get("service") instanceof MapNode service ? ServiceReference.of(service) : null,
        pem(config.text("caBundle")));
  }

  private static String pem(String base64) {
    try {
      return new String(Base64.getDecoder().decode(base64), StandardCharsets.ISO_8859_1);
    } catch (IllegalArgumentException e) {
      // not base64: no certificate, which the call reports
      return base64;
    }
  }
}
