package dev.keelson.schema.validation.core;

import dev.keelson.schema.validation.AddressWarnings;
import dev.keelson.schema.validation.DeclaredOrder;
import dev.keelson.schema.validation.Formats;
import dev.keelson.schema.validation.KindRules;
import dev.keelson.schema.validation.Labels;
import dev.keelson.schema.validation.Value;
import java.util.function.Consumer;

/** Endpoints. */
final class EndpointsRules implements KindRules {
  private static final String MANAGED_BY = "endpoints.kubernetes.io/managed-by";

  /** The controller of Kubernetes, which writes no address in another form. */
  private static final String CONTROLLER = "endpoint-controller";

  @Override
  public DeclaredOrder declaredOrder() {
    return DeclaredOrder.IN_PLACE;
  }

  @Override
  public void validate(Value object) {
    for (Value subset : object.get("subsets")) {
      if (subset.get("addresses").size() + subset.get("notReadyAddresses").size() == 0) {
        subset.required("must specify `addresses` or `notReadyAddresses`");
      }
      for (String list : new String[] {"addresses", "notReadyAddresses"}) {
        for (Value address : subset.get(list)) {
          endpoint(address, EndpointAddresses.isMasterService(object));
        }
      }
      Value ports = subset.get("ports");
      for (Value port : ports) {
        Value name = port.get("name");
        if (name.filled()) {
          name.dnsLabel();
        } else if (ports.size() > 1) {
          name.required();
        }
        port.get("port").orZero().port();
        port.declared("protocol");
        if (port.get("appProtocol").present()) {
          Labels.validateLabelName(port.get("appProtocol"));
        }
      }
    }
  }

  private static void endpoint(Value address, boolean ofThisServer) {
    Value ip = address.get("ip").orEmpty().ip();
    address.get("hostname").dnsLabel();
    Value node = address.get("nodeName");
    String problem = node.present() ? Formats.DNS_SUBDOMAIN.apply(node.text()) : "";
    if (!problem.isEmpty()) {
      node.invalid(problem);
    }
    if (!Formats.isIp(ip.text())) {
      // Kubernetes reports what is no address twice
      ip.invalid("must be a valid IP address");
    } else if (!ofThisServer) {
      EndpointAddresses.validateEndpointIp(ip);
    }
  }

  @Override
  public void warnOnUpdate(Value object, Consumer<String> warnings) {
    if (object.get("metadata", "labels").key(MANAGED_BY).is(CONTROLLER)) {
      return;
    }
    for (Value subset : object.get("subsets")) {
      for (String list : new String[] {"addresses", "notReadyAddresses"}) {
        for (Value address : subset.get(list)) {
          AddressWarnings.warnAboutIp(address.get("ip"), warnings);
        }
      }
    }
  }
}
