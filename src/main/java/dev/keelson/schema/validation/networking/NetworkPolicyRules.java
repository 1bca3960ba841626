package dev.keelson.schema.validation.networking;

import dev.keelson.schema.validation.AddressWarnings;
import dev.keelson.schema.validation.DeclaredOrder;
import dev.keelson.schema.validation.Formats;
import dev.keelson.schema.validation.IntOrStrings;
import dev.keelson.schema.validation.KindRules;
import dev.keelson.schema.validation.Labels;
import dev.keelson.schema.validation.Value;
import dev.keelson.value.Cidr;
import java.util.List;
import java.util.function.Consumer;

/** Network policies. */
final class NetworkPolicyRules implements KindRules {
  private static final String[] PROTOCOLS = {"TCP", "UDP", "SCTP"};

  @Override
  public DeclaredOrder declaredOrder() {
    return DeclaredOrder.NEVER;
  }

  @Override
  public void validate(Value object) {
    Value spec = object.get("spec");
    Labels.validateLabelSelector(spec.get("podSelector"));
    for (Value rule : spec.get("ingress")) {
      rule(rule, "from");
    }
    for (Value rule : spec.get("egress")) {
      rule(rule, "to");
    }
    Value types = spec.get("policyTypes");
    if (types.size() > 2) {
      types.invalid("may not specify more than two policyTypes");
      return;
    }
    for (Value type : types) {
      if (!type.is("Ingress") && !type.is("Egress")) {
        type.orEmpty().unsupportedInOrder("Ingress", "Egress");
      }
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
      Labels.validateLabelSelector(pods);
      Labels.validateLabelSelector(namespaces);
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
    Value protocol = each.get("protocol");
    if (protocol.present() && !List.of(PROTOCOLS).contains(protocol.text())) {
      protocol.unsupportedInOrder(PROTOCOLS);
    }
    Value port = each.get("port");
    Value end = each.get("endPort");
    if (end.present() && port.absent()) {
      end.invalid("may not be specified when `port` is not specified");
    }
    if (end.present() && port.isText()) {
      end.invalid("may not be specified when `port` is non-numeric");
    }
    if (port.present()) {
      IntOrStrings.validatePortNumOrName(port);
    }
    if (end.present() && port.isNumber()) {
      if (end.number() < port.number()) {
        // Kubernetes shows the port, not the end port
        end.holding(port.node()).invalid("must be greater than or equal to `port`");
      }
      end.port();
    }
  }

  private static void block(Value block) {
    Value cidr = block.get("cidr").needed();
    if (!cidr.filled() || !Formats.isCidr(cidr.cidr().text())) {
      return;
    }
    for (Value except : block.get("except")) {
      except.cidr();
      if (Formats.isCidr(except.text()) && !isWithin(except.text(), cidr.text())) {
        except.invalid("must be a strict subset of `cidr`");
      }
    }
  }

  /** Whether a block is a proper part of another. */
  private static boolean isWithin(String inner, String outer) {
    Cidr part = Cidr.parse(inner);
    Cidr whole = Cidr.parse(outer);
    return whole.contains(part) && part.prefixLength() > whole.prefixLength();
  }

  @Override
  public void warnOnUpdate(Value object, Consumer<String> warnings) {
    Value spec = object.get("spec");
    for (Value rule : spec.get("ingress")) {
      warnAboutPeers(rule.get("from"), warnings);
    }
    for (Value rule : spec.get("egress")) {
      warnAboutPeers(rule.get("to"), warnings);
    }
  }

  private static void warnAboutPeers(Value peers, Consumer<String> warnings) {
    for (Value peer : peers) {
      AddressWarnings.warnAboutCidr(peer.get("ipBlock", "cidr"), warnings);
      for (Value except : peer.get("ipBlock", "except")) {
        AddressWarnings.warnAboutCidr(except, warnings);
      }
    }
  }
}
