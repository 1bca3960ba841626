package dev.keelson.schema.validation.certificates;

import dev.keelson.pem.PemCertificateRequests;
import dev.keelson.schema.validation.DeclaredOrder;
import dev.keelson.schema.validation.Formats;
import dev.keelson.schema.validation.KindRules;
import dev.keelson.schema.validation.Value;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;

/** Certificate signing requests. */
final class CertificateSigningRequestRules implements KindRules {
  private static final int LONGEST_DOMAIN = 253;
  private static final List<String> DECISIONS = List.of("Approved", "Denied");
  private static final List<String> FINAL = List.of("Approved", "Denied", "Failed");

  /** A domain, a slash, and a path whose last label may be a name of its own. */
  private static final int LONGEST_SIGNER = 571;

  @Override
  public DeclaredOrder declaredOrder() {
    return DeclaredOrder.IN_PLACE;
  }

  @Override
  public void validateCreate(Value object) {
    Value spec = object.get("spec");
    Value request = spec.get("request");
    String problem = problem(request.text());
    if (!problem.isEmpty()) {
      request.orEmpty().invalid(problem);
    }
    Value usages = spec.get("usages").needed("usages must be provided");
    spec.declared("usages");
    usages.unique();
    signer(spec.declared("signerName").get("signerName"));
    Value seconds = spec.get("expirationSeconds");
    if (seconds.present() && seconds.number() < 600) {
      seconds.invalid("may not specify a duration less than 600 seconds (10 minutes)");
    }
  }

  private static String problem(String base64) {
    try {
      return PemCertificateRequests.problem(
          new String(Base64.getDecoder().decode(base64), StandardCharsets.ISO_8859_1));
    } catch (IllegalArgumentException e) {
      // not base64, so no request either
      return PemCertificateRequests.NO_REQUEST;
    }
  }

  private static void signer(Value signer) {
    String text = signer.text();
    if (text.isEmpty()) {
      return;
    }
    if (text.equals("kubernetes.io/legacy-unknown")) {
      signer.invalid("the legacy signerName is not allowed via this API version");
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
        for (String line : problem.split("\n", -1)) {
          signer.invalid(part, "validating label \"" + label + "\": " + line);
        }
        return;
      }
    }
  }

  @Override
  public void validateStatusUpdate(Value object, Value old) {
    Value conditions = object.get("status", "conditions");
    conditions(conditions, old.get("status", "conditions"));
    Value certificate = object.get("status", "certificate");
    Value was = old.get("status", "certificate");
    if (!certificate.sameAs(was)) {
      certificate(certificate);
    }
    kept(object, old);
    for (String type : DECISIONS) {
      if (count(object, type) > count(old, type)) {
        conditions.forbidden("updates may not add a condition of type \"" + type + "\"");
      }
    }
    if (!certificate.sameAs(was) && was.filled()) {
      certificate.forbidden("updates may not modify existing certificate content");
    }
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
    conditions(object.get("status", "conditions"), old.get("status", "conditions"));
    kept(object, old);
    if (!object.get("status", "certificate").sameAs(old.get("status", "certificate"))) {
      object.get("status", "certificate").forbidden("updates may not set certificate content");
    }
  }

  /** What has been decided is not taken back. */
  private static void kept(Value object, Value old) {
    for (String type : FINAL) {
      if (count(object, type) < count(old, type)) {
        object
            .get("status", "conditions")
            .forbidden("updates may not remove a condition of type \"" + type + "\"");
      }
    }
  }

  private static int count(Value object, String type) {
    return ofType(object.get("status", "conditions"), type);
  }

  private static int ofType(Iterable<Value> conditions, String type) {
    int count = 0;
    for (Value each : conditions) {
      count += each.get("type").is(type) ? 1 : 0;
    }
    return count;
  }

  /** Validates conditions, for all that the stored ones do not violate already. */
  private static void conditions(Value conditions, Value old) {
    boolean both = ofType(old, "Approved") > 0 && ofType(old, "Denied") > 0;
    boolean empty = ofType(old, "") > 0;
    boolean repeated = repeated(old);
    boolean approved = false;
    boolean denied = false;
    Set<String> seen = new HashSet<>();
    for (Value each : conditions) {
      Value type = each.get("type");
      if (!empty) {
        type.needed();
      }
      Value status = each.get("status").needed();
      if (status.filled()) {
        if (FINAL.contains(type.text())) {
          status.oneOf("True");
        } else {
          status.oneOf("False", "True", "Unknown");
        }
      }
      approved |= type.is("Approved");
      denied |= type.is("Denied");
      if (!both && approved && denied && DECISIONS.contains(type.text())) {
        type.invalid("Approved and Denied conditions are mutually exclusive");
      }
      if (!seen.add(type.text()) && !repeated) {
        type.orEmpty().duplicate();
      }
    }
  }

  private static boolean repeated(Iterable<Value> conditions) {
    Set<String> seen = new HashSet<>();
    for (Value each : conditions) {
      if (!seen.add(each.get("type").text())) {
        return true;
      }
    }
    return false;
  }
}
