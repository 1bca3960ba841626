package dev.keelson.schema.validation.certificates;

import dev.keelson.pem.PemBlocks;
import dev.keelson.schema.validation.Formats;
import dev.keelson.schema.validation.KindRules;
import dev.keelson.schema.validation.Value;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.function.UnaryOperator;

/** Certificate signing requests. */
final class CertificateSigningRequestRules implements KindRules {
  private static final int LONGEST_DOMAIN = 253;

  /** A domain, a slash, and a path whose last label may be a name of its own. */
  private static final int LONGEST_SIGNER = 571;

  @Override
  public void validate(Value object) {
    Value spec = object.get("spec");
    Value usages = spec.get("usages");
    if (usages.size() == 0) {
      usages.required();
    }
    usages.unique();
    Value request = spec.get("request");
    if (!isRequest(request.text())) {
      request.orEmpty().invalid("PEM block type must be CERTIFICATE REQUEST");
    }
    signer(spec.get("signerName"));
    Value seconds = spec.get("expirationSeconds");
    if (seconds.present() && seconds.number() < 600) {
      seconds.invalid("may not specify a duration less than 600 seconds (10 minutes)");
    }
  }

  private static boolean isRequest(String base64) {
    try {
      String text = new String(Base64.getDecoder().decode(base64), StandardCharsets.ISO_8859_1);
      return new PemBlocks(text)
          .next()
          .filter(block -> block.type().equals("CERTIFICATE REQUEST"))
          .isPresent();
    } catch (IllegalArgumentException e) {
      // not base64, so no request either: the caller says what is expected
      return false;
    }
  }

  private static void signer(Value signer) {
    String text = signer.text();
    if (text.isEmpty()) {
      return;
    }
    int slash = text.indexOf('/');
    if (slash < 0 || text.indexOf('/', slash + 1) >= 0) {
      signer.invalid(
          "must be a fully qualified domain and path of the form 'example.com/signer-name'");
      return;
    }
    String domain = text.substring(0, slash);
    if (domain.length() > LONGEST_DOMAIN) {
      signer.tooLong(LONGEST_DOMAIN);
    }
    labels(signer, domain, Formats.DNS_LABEL);
    if (domain.indexOf('.') < 0) {
      signer.invalid(domain, "should be a domain with at least two segments separated by dots");
    }
    labels(signer, text.substring(slash + 1), Formats.DNS_SUBDOMAIN);
    if (text.length() > LONGEST_SIGNER) {
      signer.tooLong(LONGEST_SIGNER);
    }
  }

  private static void labels(Value signer, String part, UnaryOperator<String> format) {
    for (String label : part.split("\\.", -1)) {
      String problem = format.apply(label);
      if (!problem.isEmpty()) {
        signer.invalid(part, "validating label \"" + label + "\": " + problem);
      }
    }
  }

  @Override
  public void validateUpdate(Value object, Value old) {
    object.get("spec").immutable(old.get("spec"));
  }

  @Override
  public void validateStatusUpdate(Value object, Value old) {
    conditions(object.get("status", "conditions"));
    kept(object, old, "Failed");
    Value certificate = object.get("status", "certificate");
    Value was = old.get("status", "certificate");
    if (certificate.sameAs(was)) {
      return;
    }
    if (was.filled()) {
      certificate.forbidden("updates may not modify existing certificate content");
    }
    certificate(certificate);
  }

  private static void certificate(Value certificate) {
    if (!certificate.filled()) {
      return;
    }
    String problem = Certificates.problem(certificate.text());
    if (!problem.isEmpty()) {
      certificate.invalid("<certificate data>", problem);
    }
  }

  @Override
  public void validateSubresourceUpdate(String subresource, Value object, Value old) {
    conditions(object.get("status", "conditions"));
    kept(object, old, "Approved", "Denied", "Failed");
    if (!object.get("status", "certificate").sameAs(old.get("status", "certificate"))) {
      object.get("status", "certificate").forbidden("updates may not set certificate content");
    }
  }

  /** What has been decided is not taken back. */
  private static void kept(Value object, Value old, String... types) {
    for (String type : types) {
      if (count(object, type) < count(old, type)) {
        object
            .get("status", "conditions")
            .forbidden("updates may not remove a condition of type \"" + type + "\"");
      }
    }
  }

  private static int count(Value object, String type) {
    int count = 0;
    for (Value each : object.get("status", "conditions")) {
      count += each.get("type").is(type) ? 1 : 0;
    }
    return count;
  }

  private static void conditions(Value conditions) {
    boolean approved = false;
    boolean denied = false;
    for (Value each : conditions) {
      Value type = each.get("type").needed();
      Value status = each.get("status").needed();
      if (status.filled()) {
        if (type.is("Approved") || type.is("Denied") || type.is("Failed")) {
          status.oneOf("True");
        } else {
          status.oneOf("False", "True", "Unknown");
        }
      }
      approved |= type.is("Approved");
      denied |= type.is("Denied");
      if (approved && denied && (type.is("Approved") || type.is("Denied"))) {
        type.invalid("Approved and Denied conditions are mutually exclusive");
      }
    }
    conditions.uniqueBy("type");
  }
}
