package dev.keelson.schema.validation;

import java.util.Map;

/** Ingresses, network policies and addresses. */
final class NetworkRules {

  private NetworkRules() {}

  static void addTo(Map<String, TypeRules> rules) {
    rules.put("networking.k8s.io/Ingress", new Ingress());
    rules.put("networking.k8s.io/IngressClass", new IngressClass());
    rules.put("networking.k8s.io/NetworkPolicy", new NetworkPolicy());
    rules.put("networking.k8s.io/IPAddress", new IpAddress());
    rules.put("networking.k8s.io/ServiceCIDR", new ServiceCidr());
  }

  private record Ingress() implements TypeRules {
    private static final String[] BAD_PARTS = {"//", "/./", "/../", "%2f", "%2F"};
    private static final String[] BAD_ENDS = {"/..", "/."};

    @Override
    public void check(Value object) {
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
        for (Value path : rule.get("http", "paths")) {
          path(path);
        }
      }
      for (Value tls : spec.get("tls")) {
        for (Value host : tls.get("hosts")) {
          host.as(host.text().contains("*") ? Formats.WILDCARD_SUBDOMAIN : Formats.DNS_SUBDOMAIN);
        }
        tls.get("secretName").dnsSubdomain();
      }
      spec.get("ingressClassName").dnsSubdomain();
    }

    @Override
    public void created(Value object) {
      Value annotation = object.get("metadata", "annotations").key("kubernetes.io/ingress.class");
      if (annotation.present() && object.get("spec", "ingressClassName").present()) {
        object
            .get("annotations")
            .get("kubernetes.io/ingress.class")
            .holding(annotation.node())
            .invalid("can not be set when the class field is also set");
      }
    }

    @Override
    public void statusChanged(Value object, Value old) {
      ServiceRules.balancers(object.get("status", "loadBalancer", "ingress"));
    }

    private static void host(Value host) {
      if (!host.filled()) {
        return;
      }
      if (Formats.IP.apply(host.text()).isEmpty()) {
        host.invalid("must be a DNS name, not an IP address");
      }
      host.as(host.text().contains("*") ? Formats.WILDCARD_SUBDOMAIN : Formats.DNS_SUBDOMAIN);
    }

    private static void path(Value each) {
      Value path = each.get("path");
      String text = path.text();
      switch (each.get("pathType").text()) {
        case "Exact", "Prefix" -> {
          if (!text.startsWith("/")) {
            Labels.orEmpty(path).invalid("must be an absolute path");
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
        case "" -> {
          // that it is required is told by the schema
          return;
        }
        default -> {}
      }
      backend(each.get("backend"));
    }

    private static void backend(Value backend) {
      Value service = backend.get("service");
      Value resource = backend.get("resource");
      if (service.present() && resource.present()) {
        backend.invalid("", "cannot set both resource and service backends");
      } else if (resource.present()) {
        resource.get("apiGroup").dnsSubdomain();
        resource.get("kind").needed("kind is required").as(Formats.PATH_SEGMENT);
        resource.get("name").needed("name is required").as(Formats.PATH_SEGMENT);
      } else if (service.present()) {
        service.get("name").as(Formats.DNS_1035_LABEL);
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
  }

  private record IngressClass() implements TypeRules {
    @Override
    public void check(Value object) {
      Value controller = object.get("spec", "controller");
      if (controller.text().length() > 250) {
        controller.tooLong(250);
      }
      controller.needed().as(Formats.DOMAIN_PATH);
      Value parameters = object.get("spec", "parameters");
      if (parameters.absent()) {
        return;
      }
      parameters.get("apiGroup").dnsSubdomain();
      parameters.get("kind").as(Formats.PATH_SEGMENT);
      parameters.get("name").as(Formats.PATH_SEGMENT);
      Value namespace = parameters.get("namespace");
      if (parameters.get("scope").is("Namespace")) {
        if (!namespace.filled()) {
          namespace.required("`parameters.scope` is set to 'Namespace'");
        }
        namespace.dnsLabel();
      } else if (namespace.present()) {
        namespace.forbidden("`parameters.scope` is set to 'Cluster'");
      }
    }

    @Override
    public void changed(Value object, Value old) {
      object.get("spec", "controller").immutable(old.get("spec", "controller"));
    }
  }

  private record NetworkPolicy() implements TypeRules {
    @Override
    public void check(Value object) {
      Value spec = object.get("spec");
      Labels.selector(spec.get("podSelector"));
      for (Value rule : spec.get("ingress")) {
        rule(rule, "from");
      }
      for (Value rule : spec.get("egress")) {
        rule(rule, "to");
      }
      Value types = spec.get("policyTypes");
      if (types.size() > 2) {
        types.invalid("may not specify more than two policyTypes");
      }
    }

    private static void rule(Value rule, String peers) {
      for (Value port : rule.get("ports")) {
        port(port);
      }
      for (Value peer : rule.get(peers)) {
        Value block = peer.get("ipBlock");
        Value pods = peer.get("podSelector");
        Value namespaces = peer.get("namespaceSelector");
        Labels.selector(pods);
        Labels.selector(namespaces);
        if (block.present()) {
          block(block);
        }
        if (block.absent() && pods.absent() && namespaces.absent()) {
          peer.required("must specify a peer");
        } else if (block.present() && (pods.present() || namespaces.present())) {
          peer.forbidden("may not specify both ipBlock and another peer");
        }
      }
    }

    private static void port(Value each) {
      Value port = each.get("port");
      Value end = each.get("endPort");
      if (port.present()) {
        ContainerRules.portReference(port);
      }
      if (end.present()) {
        if (port.absent()) {
          end.invalid("may not be specified when `port` is not specified");
        } else if (port.isText()) {
          end.invalid("may not be specified when `port` is non-numeric");
        } else {
          if (end.number() < port.number()) {
            // Kubernetes shows the port where it stands, not the end
            end.holding(port.node()).invalid("must be greater than or equal to `port`");
          }
          end.port();
        }
      }
    }

    private static void block(Value block) {
      Value cidr = block.get("cidr");
      cidr.as(Formats.CIDR);
      for (Value except : block.get("except")) {
        if (!Formats.isCidr(except.text())) {
          except.as(Formats.CIDR);
        } else if (Formats.isCidr(cidr.text()) && !Networks.within(except.text(), cidr.text())) {
          except.invalid("must be a strict subset of `cidr`");
        }
      }
    }
  }

  private record IpAddress() implements TypeRules {
    @Override
    public void created(Value object) {
      Value name = object.get("metadata", "name");
      if (name.filled() && !Formats.isIpv4(name.text()) && !Formats.isIpv6(name.text())) {
        name.invalid("must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)");
      }
    }

    @Override
    public void changed(Value object, Value old) {
      object.get("spec", "parentRef").immutable(old.get("spec", "parentRef"));
    }
  }

  private record ServiceCidr() implements TypeRules {
    @Override
    public void statusChanged(Value object, Value old) {
      Conditions.check(object.get("status", "conditions"));
    }

    @Override
    public void check(Value object) {
      Value cidrs = object.get("spec", "cidrs");
      if (cidrs.size() == 0) {
        cidrs.required("at least one CIDR required");
      } else if (cidrs.size() > 2) {
        cidrs.invalid("may only hold up to 2 values");
      }
      for (Value cidr : cidrs) {
        cidr.as(Formats.CIDR);
      }
    }

    @Override
    public void changed(Value object, Value old) {
      Value cidrs = object.get("spec", "cidrs");
      Value was = old.get("spec", "cidrs");
      // a second family may be added or removed
      if (!cidrs.at(0).sameAs(was.at(0)) || cidrs.size() == was.size()) {
        cidrs.immutable(was);
      }
    }
  }
}
