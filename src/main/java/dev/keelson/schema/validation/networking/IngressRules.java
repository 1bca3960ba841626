package dev.keelson.schema.validation.networking;

import dev.keelson.schema.validation.DeclaredOrder;
import dev.keelson.schema.validation.Formats;
import dev.keelson.schema.validation.GivenText;
import dev.keelson.schema.validation.KindRules;
import dev.keelson.schema.validation.Value;
import dev.keelson.schema.validation.core.LoadBalancerStatusRules;
import java.util.function.Consumer;

/** Ingresses. */
final class IngressRules implements KindRules {
  private static final String[] BAD_PARTS = {"//", "/./", "/../", "%2f", "%2F"};
  private static final String[] BAD_ENDS = {"/..", "/."};

  @Override
  public DeclaredOrder declaredOrder() {
    return DeclaredOrder.IN_PLACE;
  }

  @Override
  public void validate(Value object) {
    Value spec = object.get("spec");
    Value backend = spec.get("defaultBackend");
    Value rules = spec.get("rules");
    if (rules.size() == 0 && backend.absent()) {
      spec.holding(null).invalid("either `defaultBackend` or `rules` must be specified");
    }
    if (backend.present()) {
      backend(backend);
    }
    for (Value rule : rules) {
      host(rule.get("host"));
      Value http = rule.get("http");
      if (http.present()) {
        for (Value path : http.declared("paths").get("paths")) {
          path(path);
        }
      }
    }
    for (Value tls : spec.get("tls")) {
      for (Value host : tls.get("hosts")) {
        GivenText.validate(
            host.orEmpty(),
            host.text().contains("*") ? Formats.WILDCARD_SUBDOMAIN : Formats.DNS_SUBDOMAIN);
      }
      tls.get("secretName").dnsSubdomain();
    }
    GivenText.validate(spec.get("ingressClassName"), Formats.DNS_SUBDOMAIN);
  }

  @Override
  public void validateCreate(Value object) {
    Value annotation = object.get("metadata", "annotations").key("kubernetes.io/ingress.class");
    Value field = object.get("spec", "ingressClassName");
    if (annotation.present() && field.present() && !annotation.is(field.text())) {
      object
          .get("annotations")
          .get("kubernetes.io/ingress.class")
          .holding(annotation.node())
          .invalid("must match `ingressClassName` when both are specified");
    }
  }

  @Override
  public void validateStatusUpdate(Value object, Value old) {
    LoadBalancerStatusRules.validateLoadBalancerIngress(
        object.get("status", "loadBalancer", "ingress"));
  }

  private static void host(Value host) {
    if (!host.filled()) {
      return;
    }
    if (Formats.isIp(host.text())) {
      host.invalid("must be a DNS name, not an IP address");
    }
    host.as(host.text().contains("*") ? Formats.WILDCARD_SUBDOMAIN : Formats.DNS_SUBDOMAIN);
  }

  private static void path(Value each) {
    Value type = each.get("pathType");
    if (type.absent()) {
      type.required("pathType must be specified");
      return;
    }
    Value path = each.get("path");
    String text = path.text();
    switch (type.text()) {
      case "Exact", "Prefix" -> {
        if (!text.startsWith("/")) {
          path.orEmpty().invalid("must be an absolute path");
        }
        for (String part : BAD_PARTS) {
          if (text.contains(part)) {
            path.invalid("must not contain '" + part + "'");
          }
        }
        for (String end : BAD_ENDS) {
          if (text.endsWith(end)) {
            path.invalid("cannot end with '" + end + "'");
          }
        }
      }
      case "ImplementationSpecific" -> {
        if (!text.isEmpty() && !text.startsWith("/")) {
          path.invalid("must be an absolute path");
        }
      }
      default -> type.unsupported("Exact", "Prefix", "ImplementationSpecific");
    }
    backend(each.get("backend"));
  }

  private static void backend(Value backend) {
    Value service = backend.get("service");
    Value resource = backend.get("resource");
    if (service.present() && resource.present()) {
      backend.invalid("", "cannot set both resource and service backends");
    } else if (resource.present()) {
      GivenText.validate(resource.get("apiGroup"), Formats.DNS_SUBDOMAIN);
      resource.get("kind").needed("kind is required").as(Formats.PATH_SEGMENT);
      resource.get("name").needed("name is required").as(Formats.PATH_SEGMENT);
    } else if (service.present()) {
      service.declared("name").get("name").as(Formats.DNS_LABEL);
      Value name = service.get("port", "name");
      Value number = service.get("port", "number");
      if (name.filled() && number.filled()) {
        backend.invalid("", "cannot set both port name & port number");
      } else if (name.filled()) {
        name.as(Formats.PORT_NAME);
      } else if (number.filled()) {
        number.port();
      } else {
        backend.required("port name or number is required");
      }
    } else {
      backend.invalid("", "resource or service backend is required");
    }
  }

  @Override
  public void warnOnCreate(Value object, Consumer<String> warnings) {
    if (object.get("metadata", "annotations").key("kubernetes.io/ingress.class").present()) {
      warnings.accept(
          "annotation \"kubernetes.io/ingress.class\" is deprecated, please use"
              + " 'spec.ingressClassName' instead");
    }
  }
}
