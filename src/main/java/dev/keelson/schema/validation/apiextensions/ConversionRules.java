package dev.keelson.schema.validation.apiextensions;

import dev.keelson.pem.PemCertificates;
import dev.keelson.pem.PemException;
import dev.keelson.schema.validation.Formats;
import dev.keelson.schema.validation.Value;
import dev.keelson.schema.validation.WebhookAddresses;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashSet;
import java.util.Set;

/** The conversion of a definition. Paths are those of the unversioned type. */
final class ConversionRules {

  private static final String ONLY_WEBHOOK =
      "should not be set when strategy is not set to Webhook";

  private ConversionRules() {}

  static void validate(Value conversion, Requirements requirements) {
    if (conversion.absent()) {
      return;
    }
    Value webhook = conversion.get("webhook");
    Value client =
        conversion.get("webhookClientConfig").holding(webhook.get("clientConfig").node());
    Value versions =
        conversion
            .get("conversionReviewVersions")
            .holding(webhook.get("conversionReviewVersions").node());
    Value strategy = conversion.get("strategy");
    if (!strategy.filled()) {
      strategy.required();
    } else if (!strategy.is("None") && !strategy.is("Webhook")) {
      strategy.unsupportedInOrder("None", "Webhook");
    }
    if (strategy.is("Webhook")) {
      client(client, requirements);
      versions(versions, requirements);
    } else {
      if (client.present()) {
        client.forbidden(ONLY_WEBHOOK);
      }
      if (versions.size() > 0) {
        versions.forbidden(ONLY_WEBHOOK);
      }
    }
  }

  private static void client(Value client, Requirements requirements) {
    if (client.absent()) {
      client.required("required when strategy is set to Webhook");
      return;
    }
    Value url = client.get("url");
    Value service = client.get("service");
    if (url.present() == service.present()) {
      client.required("exactly one of url or service is required");
    } else if (url.present()) {
      WebhookAddresses.validateUrl(url);
    } else {
      service(service);
    }
    Value caBundle = client.get("caBundle");
    if (requirements.readableCaBundle() && caBundle.filled()) {
      String problem = caBundleProblem(caBundle);
      if (!problem.isEmpty()) {
        caBundle.invalid(problem);
      }
    }
  }

  /** apiextensions-apiserver passes name and namespace in the wrong order to the shared rule. */
  private static void service(Value service) {
    if (!service.get("namespace").filled()) {
      service.get("name").required("service name is required");
    }
    if (!service.get("name").filled()) {
      service.get("namespace").required("service namespace is required");
    }
    WebhookAddresses.validatePort(service.get("port"));
    WebhookAddresses.validatePath(service.get("path"));
  }

  /** What is wrong with a CA bundle in base64, empty if nothing is. */
  static String caBundleProblem(Value caBundle) {
    String pem =
        new String(Base64.getDecoder().decode(caBundle.text()), StandardCharsets.ISO_8859_1);
    try {
      PemCertificates.parse("caBundle", pem);
      return "";
    } catch (PemException e) {
      return "unable to load root certificates: unable to parse bytes as PEM block";
    }
  }

  private static void versions(Value versions, Requirements requirements) {
    if (versions.size() == 0) {
      versions.required();
      return;
    }
    Set<String> seen = new HashSet<>();
    for (Value version : versions) {
      if (!seen.add(version.text())) {
        version.orEmpty().invalid("duplicate version");
        continue;
      }
      String problem = Formats.DNS_1035_LABEL.apply(version.text());
      if (!problem.isEmpty()) {
        version.orEmpty().invalid(problem);
      }
    }
    if (requirements.recognizedReviewVersion() && !hasKnownVersion(versions)) {
      versions.invalid("must include at least one of v1, v1beta1");
    }
  }

  /** Whether the server knows one of the versions of ConversionReview. */
  static boolean hasKnownVersion(Value versions) {
    return versions.contains("v1") || versions.contains("v1beta1");
  }
}
