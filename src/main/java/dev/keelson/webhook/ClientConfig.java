package dev.keelson.webhook;

import dev.keelson.object.Node.MapNode;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Objects;
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

  /** The host that the server's certificate must be for; empty if the URL names none. */
  public String host() {
    ServiceReference reference = service;
    if (reference != null) {
      return reference.serverName();
    }
    try {
      return Objects.requireNonNullElse(new URI(url).getHost(), "");
    } catch (URISyntaxException e) {
      // calling it fails, with an error that tells this
      return "";
    }
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
