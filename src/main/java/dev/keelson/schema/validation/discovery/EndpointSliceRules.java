package dev.keelson.schema.validation.discovery;

import dev.keelson.schema.validation.AddressWarnings;
import dev.keelson.schema.validation.Formats;
import dev.keelson.schema.validation.KindRules;
import dev.keelson.schema.validation.Value;
import dev.keelson.schema.validation.core.EndpointAddresses;
import dev.keelson.value.IpAddress;
import dev.keelson.value.IpAddress.Family;
import java.util.function.Consumer;

/** Endpoint slices. */
final class EndpointSliceRules implements KindRules {
  private static final int MOST_ADDRESSES = 100;
  private static final int MOST_ENDPOINTS = 1000;
  private static final int MOST_PORTS = 20000;

  @Override
  public void validate(Value object) {
    Value endpoints = object.get("endpoints");
    if (endpoints.size() > MOST_ENDPOINTS) {
      endpoints.tooMany(MOST_ENDPOINTS);
    }
    for (Value endpoint : endpoints) {
      if (!EndpointAddresses.isMasterService(object)) {
        endpoint(endpoint, object.get("addressType").text());
      }
    }
    Value ports = object.get("ports");
    if (ports.size() > MOST_PORTS) {
      ports.tooMany(MOST_PORTS);
    }
    for (Value port : ports) {
      port.get("name").dnsLabel();
      port.get("port").port();
      port.get("appProtocol").qualifiedName();
    }
    Value unnamed = null;
    for (Value port : ports) {
      if (!port.get("name").filled()) {
        if (unnamed != null) {
          port.get("name").duplicate("");
        }
        unnamed = port;
      }
    }
    ports.uniqueBy("name");
  }

  private static void endpoint(Value endpoint, String type) {
    Value addresses = endpoint.get("addresses");
    if (addresses.size() > MOST_ADDRESSES) {
      addresses.tooMany(MOST_ADDRESSES);
    }
    for (Value address : addresses) {
      switch (type) {
        case "IPv4" -> family(addresses, address, Family.IPV4);
        case "IPv6" -> family(addresses, address, Family.IPV6);
        case "FQDN" -> address.as(Formats.DOMAIN_NAME);
        default -> {}
      }
    }
    endpoint.get("nodeName").dnsSubdomain();
    endpoint.get("zone").as(Formats.LABEL_VALUE);
    endpoint.get("hostname").dnsLabel();
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
    for (Value endpoint : object.get("endpoints")) {
      AddressWarnings.warnAboutIps(endpoint.get("addresses"), warnings);
    }
  }
}
