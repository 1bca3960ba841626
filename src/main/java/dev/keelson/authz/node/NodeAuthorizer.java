package dev.keelson.authz.node;

import dev.keelson.authz.Attributes;
import dev.keelson.authz.Authorizer;
import dev.keelson.authz.Decision;
import dev.keelson.authz.ResolvedRules;
import dev.keelson.authz.Selection;
import dev.keelson.request.UserInfo;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Authorizes kubelets: users {@code system:node:name} of group {@code system:nodes}. Has no opinion
 * on other users (source: Kubernetes' node authorizer; KEP-4601 for nodes and pods).
 */
public final class NodeAuthorizer implements Authorizer {

  private static final String USER = "system:node:";
  private static final String GROUP = "system:nodes";
  private static final String LEASES = "kube-node-lease";
  private static final Set<String> READING = Set.of("get", "list", "watch");
  private static final Set<String> CHANGING = Set.of("update", "patch");
  private static final Set<String> OWNING = Set.of("get", "create", "update", "patch", "delete");

  private final GraphSource source;
  private final Predicate<Attributes> rules;
  private final boolean bodies;
  private final NodeGraph graph = new NodeGraph();

  /**
   * @param rules the rules of every kubelet for resources that are not bound to a node @param
   *     bodies whether the NodeRestriction plugin checks the objects that kubelets write; otherwise
   *     requests for other nodes' objects are denied here, as far as the path shows them
   */
  public NodeAuthorizer(GraphSource source, Predicate<Attributes> rules, boolean bodies) {
    this.source = source;
    this.rules = rules;
    this.bodies = bodies;
  }

  @Override
  public Decision authorize(Attributes attributes) {
    UserInfo user = attributes.user();
    if (!isNode(user)) {
      return Decision.NoOpinion.PLAIN;
    }
    String node = user.name().substring(USER.length());
    if (node.isEmpty()) {
      return no("unknown node for user \"" + user.name() + "\"");
    }
    if (attributes.target() instanceof Attributes.Resource target) {
      source.catchUp(graph);
      return switch (target.group() + "/" + target.resource()) {
        case "/secrets", "/configmaps" -> reference(node, attributes.verb(), target);
        case "/persistentvolumeclaims" ->
            target.subresource().equals("status")
                ? claimStatus(node, attributes.verb(), target)
                : single(attributes.verb(), target, graph.relates(node, of(target)), node);
        case "/persistentvolumes" ->
            single(attributes.verb(), target, graph.relatesVolume(node, target.name()), node);
        case "storage.k8s.io/volumeattachments" ->
            single(attributes.verb(), target, graph.relatesAttachment(node, target.name()), node);
        case "resource.k8s.io/resourceclaims" ->
            single(attributes.verb(), target, graph.relates(node, of(target)), node);
        case "resource.k8s.io/resourceslices" -> slice(node, attributes.verb(), target);
        case "/serviceaccounts" -> token(node, attributes.verb(), target);
        case "coordination.k8s.io/leases" -> lease(node, attributes.verb(), target);
        case "storage.k8s.io/csinodes" -> csiNode(node, attributes.verb(), target);
        case "/nodes" -> ownNode(node, attributes, target);
        case "/pods" -> ownPod(node, attributes, target);
        default -> byRules(attributes);
      };
    }
    return byRules(attributes);
  }

  private static boolean isNode(UserInfo user) {
    return user.name().startsWith(USER) && user.groups().contains(GROUP);
  }

  private Decision byRules(Attributes attributes) {
    return rules.test(attributes) ? Decision.Allow.PLAIN : Decision.NoOpinion.PLAIN;
  }

  private Decision reference(String node, String verb, Attributes.Resource target) {
    if (!READING.contains(verb)) {
      return no("can only read resources of this type");
    }
    if (!target.subresource().isEmpty()) {
      return no("cannot read subresource");
    }
    if (target.namespace().isEmpty()) {
      return no("can only read namespaced object of this type");
    }
    return related(node, target, graph.relates(node, of(target)));
  }

  private Decision single(String verb, Attributes.Resource target, boolean relates, String node) {
    if (!verb.equals("get")) {
      return no("can only get individual resources of this type");
    }
    if (!target.subresource().isEmpty()) {
      return no("cannot get subresource");
    }
    return related(node, target, relates);
  }

  private Decision claimStatus(String node, String verb, Attributes.Resource target) {
    if (!CHANGING.contains(verb)) {
      // the message is Kubernetes', which does not allow get either
      return no("can only get/update/patch this type");
    }
    return related(node, target, graph.relates(node, of(target)));
  }

  private Decision token(String node, String verb, Attributes.Resource target) {
    if (verb.equals("get") && target.subresource().isEmpty()) {
      return related(node, target, graph.relates(node, of(target)));
    }
    if (!verb.equals("create") || !target.subresource().equals("token")) {
      return no("can only get service accounts or create tokens for individual service accounts");
    }
    return related(node, target, graph.relates(node, of(target)));
  }

  private static Decision related(String node, Attributes.Resource target, boolean relates) {
    if (target.name().isEmpty()) {
      return no("No Object name found");
    }
    return relates
        ? Decision.Allow.PLAIN
        : no("no relationship found between node '" + node + "' and this object");
  }

  private static Decision lease(String node, String verb, Attributes.Resource target) {
    if (!OWNING.contains(verb)) {
      return no("can only get, create, update, patch, or delete a node lease");
    }
    if (!target.namespace().equals(LEASES)) {
      return no("can only access leases in the \"" + LEASES + "\" system namespace");
    }
    // the name of a create is in its body, which is not available here
    return verb.equals("create") || target.name().equals(node)
        ? Decision.Allow.PLAIN
        : no("can only access node lease with the same name as the requesting node");
  }

  private static Decision csiNode(String node, String verb, Attributes.Resource target) {
    if (!OWNING.contains(verb)) {
      return no("can only get, create, update, patch, or delete a CSINode");
    }
    if (!target.subresource().isEmpty()) {
      return no("cannot authorize CSINode subresources");
    }
    return verb.equals("create") || target.name().equals(node)
        ? Decision.Allow.PLAIN
        : no("can only access CSINode with the same name as the requesting node");
  }

  private Decision slice(String node, String verb, Attributes.Resource target) {
    if (!target.subresource().isEmpty()) {
      return no("cannot authorize ResourceSlice subresources");
    }
    return switch (verb) {
      case "create" -> Decision.Allow.PLAIN;
      case "get", "update", "patch", "delete" ->
          related(node, target, graph.relatesSlice(node, target.name()));
      case "watch", "list", "deletecollection" ->
          selectsNode(target.fieldSelector(), "spec.nodeName", node)
              ? Decision.Allow.PLAIN
              : no(
                  "can only list/watch/deletecollection resourceslices with nodeName field"
                      + " selector");
      default ->
          no(
              "only the following verbs are allowed for a ResourceSlice: get, watch, list, create,"
                  + " update, patch, delete, deletecollection");
    };
  }

  private Decision ownNode(String node, Attributes attributes, Attributes.Resource target) {
    String verb = attributes.verb();
    boolean own = target.name().equals(node);
    if (target.subresource().isEmpty()) {
      if (verb.equals("create") || (own && (READING.contains(verb) || CHANGING.contains(verb)))) {
        return Decision.Allow.PLAIN;
      }
      if (READING.contains(verb)) {
        String what = target.name().isEmpty() ? "all nodes" : "'" + target.name() + "'";
        return no("node '" + node + "' cannot read " + what + ", only its own Node object");
      }
      if (CHANGING.contains(verb)) {
        return bodies
            ? Decision.Allow.PLAIN
            : no("node '" + node + "' can only update its own Node object");
      }
    } else if (target.subresource().equals("status") && CHANGING.contains(verb)) {
      return own || bodies
          ? Decision.Allow.PLAIN
          : no("node '" + node + "' can only update its own Node object");
    }
    return byRules(attributes);
  }

  private Decision ownPod(String node, Attributes attributes, Attributes.Resource target) {
    String verb = attributes.verb();
    boolean status = target.subresource().equals("status") && CHANGING.contains(verb);
    if (target.subresource().isEmpty()) {
      if (verb.equals("get")) {
        return graph.hasPod(node, target.namespace(), target.name())
            ? Decision.Allow.PLAIN
            : no("no relationship found between node '" + node + "' and this object");
      }
      if (verb.equals("list") || verb.equals("watch")) {
        boolean own =
            selectsNode(target.fieldSelector(), "spec.nodeName", node)
                || (!target.name().isEmpty()
                    && graph.hasPod(node, target.namespace(), target.name()));
        return own
            ? Decision.Allow.PLAIN
            : no("can only list/watch pods with spec.nodeName field selector");
      }
    }
    // NodeRestriction checks that the pods belong to the node, as in Kubernetes
    return status || target.subresource().isEmpty() || target.subresource().equals("eviction")
        ? byRules(attributes)
        : Decision.NoOpinion.PLAIN;
  }

  private static boolean selectsNode(Selection selector, String field, String node) {
    for (Selection.Requirement one : selector.ofFields()) {
      if (one.key().equals(field)
          && one.operator().equals("In")
          && one.values().equals(List.of(node))) {
        return true;
      }
    }
    return false;
  }

  private static Reference of(Attributes.Resource target) {
    return new Reference(target.resource(), target.namespace(), target.name());
  }

  private static Decision no(String reason) {
    return new Decision.NoOpinion(reason, "");
  }

  @Override
  public ResolvedRules rules(UserInfo user, String namespace) {
    // for other users there are no rules, and that is complete
    return isNode(user)
        ? new ResolvedRules(
            List.of(),
            /* incomplete= */ true,
            List.of("node authorizer does not support user rule resolution"))
        : ResolvedRules.NONE;
  }
}
