package dev.keelson.schema.validation;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Roles, their bindings, and requests for certificates. */
final class AccessRules {

  private static final String GROUP = "rbac.authorization.k8s.io";

  private AccessRules() {}

  static void addTo(Map<String, TypeRules> rules) {
    rules.put(GROUP + "/Role", new Role(true));
    rules.put(GROUP + "/ClusterRole", new Role(false));
    rules.put(GROUP + "/RoleBinding", new Binding(true));
    rules.put(GROUP + "/ClusterRoleBinding", new Binding(false));
    rules.put("certificates.k8s.io/CertificateSigningRequest", new SigningRequest());
  }

  private record Role(boolean namespaced) implements TypeRules {
    @Override
    public void check(Value object) {
      for (Value rule : object.get("rules")) {
        rule(rule);
      }
      Value aggregation = object.get("aggregationRule");
      if (aggregation.present()) {
        Value selectors = aggregation.get("clusterRoleSelectors");
        if (selectors.size() == 0) {
          selectors.required(
              "at least one clusterRoleSelector required if aggregationRule is non-nil");
        }
        for (Value selector : selectors) {
          Labels.selector(selector);
        }
      }
    }

    private void rule(Value rule) {
      Value urls = rule.get("nonResourceURLs");
      if (urls.size() > 0) {
        if (namespaced) {
          urls.invalid("namespaced rules cannot apply to non-resource URLs");
        }
        if (rule.get("apiGroups").size() > 0
            || rule.get("resources").size() > 0
            || rule.get("resourceNames").size() > 0) {
          urls.invalid("rules cannot apply to both regular resources and non-resource URLs");
        }
        return;
      }
      rule.get("apiGroups").needed("resource rules must supply at least one api group");
      rule.get("resources").needed("resource rules must supply at least one resource");
    }
  }

  private record Binding(boolean namespaced) implements TypeRules {
    @Override
    public void check(Value object) {
      Value role = object.get("roleRef");
      Value group = role.get("apiGroup");
      if (group.filled() && !group.is(GROUP)) {
        group.unsupported(GROUP);
      }
      Value kind = role.get("kind");
      if (!kind.is("ClusterRole") && !(namespaced && kind.is("Role"))) {
        if (namespaced) {
          kind.unsupportedInOrder("Role", "ClusterRole");
        } else {
          kind.unsupported("ClusterRole");
        }
      }
      role.get("name").as(Formats.PATH_SEGMENT);
      for (Value subject : object.get("subjects")) {
        subject(subject);
      }
    }

    private void subject(Value subject) {
      Value group = subject.get("apiGroup");
      switch (subject.get("kind").text()) {
        case "ServiceAccount" -> {
          subject.get("name").dnsSubdomain();
          if (group.filled()) {
            group.unsupported("");
          }
          if (!namespaced) {
            subject.get("namespace").needed();
          }
        }
        case "User", "Group" -> {
          if (group.filled() && !group.is(GROUP)) {
            group.unsupported(GROUP);
          }
        }
        default -> subject.get("kind").unsupportedInOrder("ServiceAccount", "User", "Group");
      }
    }

    @Override
    public void changed(Value object, Value old) {
      object.get("roleRef").unchanged(old.get("roleRef"), "cannot change roleRef");
    }
  }

  private record SigningRequest() implements TypeRules {
    private static final int LONGEST_DOMAIN = 253;

    /** A domain, a slash, and a path whose last label may be a name of its own. */
    private static final int LONGEST_SIGNER = 571;

    @Override
    public void check(Value object) {
      Value spec = object.get("spec");
      Value usages = spec.get("usages");
      if (usages.size() == 0) {
        usages.required();
      }
      usages.unique();
      Value request = spec.get("request");
      if (!isRequest(request.text())) {
        Labels.orEmpty(request).invalid("PEM block type must be CERTIFICATE REQUEST");
      }
      signer(spec.get("signerName"));
      Value seconds = spec.get("expirationSeconds");
      if (seconds.present() && seconds.number() < 600) {
        seconds.invalid("may not specify a duration less than 600 seconds (10 minutes)");
      }
    }

    private static boolean isRequest(String base64) {
      try {
        String text = new String(Base64.getDecoder().decode(base64), StandardCharsets.US_ASCII);
        return text.contains("-----BEGIN CERTIFICATE REQUEST-----")
            && text.contains("-----END CERTIFICATE REQUEST-----");
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
    public void changed(Value object, Value old) {
      object.get("spec").immutable(old.get("spec"));
    }

    @Override
    public void statusChanged(Value object, Value old) {
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
    public void subresourceChanged(String subresource, Value object, Value old) {
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
}
