package dev.keelson.schema.validation;

import dev.keelson.api.Names;
import dev.keelson.value.ValueFormatException;

/** The addresses of webhooks (source: apiserver, {@code pkg/util/webhook}). */
public final class WebhookAddresses {

  private WebhookAddresses() {}

  /** Validates the port of a service, if there is one. */
  public static void validatePort(Value port) {
    if (port.present() && (port.number() < 1 || port.number() > 65_535)) {
      port.invalid("port is not valid: must be between 1 and 65535, inclusive");
    }
  }

  /** Validates the path of requests to a service. */
  public static void validatePath(Value path) {
    String text = path.text();
    if (text.isEmpty() || text.equals("/")) {
      return;
    }
    if (text.equals("//")) {
      path.invalid("segment[0] may not be empty");
      return;
    }
    if (!text.startsWith("/")) {
      path.invalid("must start with a '/'");
    }
    // as in Kubernetes, the first character is taken for the slash
    String rest = text.substring(1);
    String[] steps =
        (rest.endsWith("/") ? rest.substring(0, rest.length() - 1) : rest).split("/", -1);
    for (int i = 0; i < steps.length; i++) {
      if (steps[i].isEmpty()) {
        path.invalid("segment[" + i + "] may not be empty");
        continue;
      }
      String problem = Names.dnsSubdomain(steps[i]);
      if (!problem.isEmpty()) {
        path.invalid("segment[" + i + "]: " + problem);
      }
    }
  }

  /** Validates an address, of which only the scheme https is accepted. */
  public static void validateUrl(Value url) {
    String form = "; desired format: https://host[/path]";
    WebAddress address;
    try {
      address = WebAddress.parse(url.text());
    } catch (ValueFormatException e) {
      url.required("url must be a valid URL: " + e.getMessage() + form);
      return;
    }
    if (!address.scheme().equals("https")) {
      url.invalid(address.scheme(), "'https' is the only allowed URL scheme" + form);
    }
    if (address.host().isEmpty()) {
      url.invalid("", "host must be provided" + form);
    }
    if (address.user() != null) {
      url.invalid(address.user(), "user information is not permitted in the URL");
    }
    if (!address.fragment().isEmpty()) {
      url.invalid(address.fragment(), "fragments are not permitted in the URL");
    }
    if (!address.query().isEmpty()) {
      url.invalid(address.query(), "query parameters are not permitted in the URL");
    }
  }
}
