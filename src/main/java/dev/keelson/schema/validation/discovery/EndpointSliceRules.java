package dev.keelson.schema.validation.discovery;

import dev.keelson.api.Names;
import dev.keelson.schema.validation.AddressWarnings;
import dev.keelson.schema.validation.DeclaredOrder;
import dev.keelson.schema.validation.Formats;
import dev.keelson.schema.validation.GivenText;
import dev.keelson.schema.validation.KindRules;
import dev.keelson.schema.validation.Labels;
import dev.keelson.schema.validation.Value;
import dev.keelson.schema.validation.core.EndpointAddresses;
import dev.keelson.value.IpAddress;
import dev.keelson.value.IpAddress.Family;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** Endpoint slices. */
final class EndpointSliceRules implements KindRules {
  private static final String MANAGED_BY = "endpointslice.kubernetes.io/managed-by";

  /** The controllers of Kubernetes, which write no address in another form. */
  private static final Set<String> CONTROLLERS =
      Set.of("endpointslice-controller.k8s.io", "endpointslicemirroring-controller.k8s.io");

  private static final int MOST_ADDRESSES = 100;
  private static final int MOST_ENDPOINTS = 1000;
  private static final int MOST_PORTS = 20000;
  private static final int MOST_HINTS = 8;

  @Override
  public DeclaredOrder declaredOrder() {
    return DeclaredOrder.IN_PLACE;
  }

  @Override
  public void validate(Value object) {
    object.declared("addressType");
    endpoints(object);
    ports(object.get("ports"));
  }

  private static void endpoints(Value object) {
    Value endpoints = object.get("endpoints");
    if (endpoints.size() > MOST_ENDPOINTS) {
      endpoints.tooMany(MOST_ENDPOINTS);
      return;
    }
    for (Value endpoint : endpoints) {
      if (!EndpointAddresses.isMasterService(object)) {
        endpoint(endpoint, object.get("addressType").text());
      }
    }
  }

  private static void ports(Value ports) {
    if (ports.size() > MOST_PORTS) {
      ports.tooMany(MOST_PORTS);
      return;
    }
    Set<String> names = new HashSet<>();
    for (Value port : ports) {
      Value name = port.get("name").orEmpty().dnsLabel();
      if (!names.add(name.text())) {
        name.duplicate();
      }
      port.declared("protocol");
      if (port.get("appProtocol").present()) {
        Labels.validateLabelName(port.get("appProtocol"));
      }
    }
  }

  private static void endpoint(Value endpoint, String type) {
    Value addresses = endpoint.declared("addresses").get("addresses");
    if (addresses.size() > MOST_ADDRESSES) {
      addresses.tooMany(MOST_ADDRESSES);
    }
    for (Value address : addresses) {
      switch (type) {
        case "IPv4" -> family(addresses, address, Family.IPV4);
        case "IPv6" -> family(addresses, address, Family.IPV6);
        case "FQDN" -> domainName(address.orEmpty());
        default -> {}
      }
    }
    GivenText.validate(endpoint.get("nodeName"), Formats.DNS_SUBDOMAIN);
    GivenText.validate(endpoint.get("hostname"), Formats.DNS_LABEL);
    hints(endpoint.get("hints"));
  }

  /** At most so many zones and nodes, each once. */
  private static void hints(Value hints) {
    Value zones = hints.get("forZones");
    if (zones.size() > MOST_HINTS) {
      zones.tooMany(MOST_HINTS);
      return;
    }
    distinct(zones, Names::labelValue);
    Value nodes = hints.get("forNodes");
    if (nodes.size() > MOST_HINTS) {
      nodes.tooMany(MOST_HINTS);
      return;
    }
    distinct(nodes, Names::dnsSubdomain);
  }

  private static void distinct(Value hints, UnaryOperator<String> format) {
    Set<String> names = new HashSet<>();
    for (Value hint : hints) {
      Value name = hint.get("name").orEmpty();
      if (!names.add(name.text())) {
        name.duplicate();
      }
      String problem = format.apply(name.text());
      if (!problem.isEmpty()) {
        name.invalid(problem);
      }
    }
  }

  /** A name of two labels or more, which may end in a dot (source: IsFullyQualifiedDomainName). */
  private static void domainName(Value address) {
    String text = address.text();
    if (text.isEmpty()) {
      address.required();
      return;
    }
    String name = text.endsWith(".") ? text.substring(0, text.length() - 1) : text;
    String problem = Names.dnsSubdomain(name);
    if (!problem.isEmpty()) {
      address.invalid(name, problem.replace('\n', ','));
    } else if (name.indexOf('.') < 0) {
      address.invalid(name, "should be a domain with at least two segments separated by dots");
    } else {
      for (String label : name.split("\\.", -1)) {
        String wrong = Names.dnsLabel(label);
        if (!wrong.isEmpty()) {
          address.invalid(label, wrong.replace('\n', ','));
        }
      }
    }
  }

  private static void family(Value addresses, Value address, Family family) {
    int before = address.causeCount();
    address.orEmpty().ip();
    if (address.causeCount() > before) {
      return;
    }
    if (IpAddress.parse(address.text()).family() != family) {
      // Kubernetes names the list, not the entry
      addresses.invalid(address.text(), "must be an " + family + " address");
    }
    EndpointAddresses.validateEndpointIp(address);
  }

  @Override
  public void validateUpdate(Value object, Value old) {
    object.get("addressType").immutable(old.get("addressType"));
  }

  @Override
  public void warnOnUpdate(Value object, Consumer<String> warnings) {
    if (!CONTROLLERS.contains(object.get("metadata", "labels").key(MANAGED_BY).text())) {
      for (Value endpoint : object.get("endpoints")) {
        AddressWarnings.warnAboutIps(endpoint.get("addresses"), warnings);
      }
    }
    if (object.get("addressType").is("FQDN")) {
      // Kubernetes says spec, which slices do not have
      warnings.accept("spec.addressType: FQDN endpoints are deprecated");
    }
  }
}
