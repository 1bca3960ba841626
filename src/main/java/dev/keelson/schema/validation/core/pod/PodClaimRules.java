package dev.keelson.schema.validation.core.pod;

import dev.keelson.api.Names;
import dev.keelson.schema.validation.Formats;
import dev.keelson.schema.validation.GivenText;
import dev.keelson.schema.validation.QuantityRules;
import dev.keelson.schema.validation.Value;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The resource claims of a pod, and what its status says of them. */
final class PodClaimRules {
  private PodClaimRules() {}

  /**
   * The {@code resourceClaims} of a pod spec.
   *
   * @param mirror the pod itself if a node runs it on its own, else null
   */
  static void validatePodResourceClaims(Value claims, @Nullable Value mirror) {
    if (claims.size() > 0 && mirror != null) {
      mirror.get("[]").forbidden("static pods do not support resource claims");
      return;
    }
    Set<String> names = new HashSet<>();
    for (Value claim : claims) {
      claim.declared("name");
      Value name = claim.get("name");
      if (name.filled()) {
        if (names.add(name.text())) {
          name.dnsLabel();
        } else {
          name.duplicate();
        }
      }
      Value own = claim.get("resourceClaimName");
      Value template = claim.get("resourceClaimTemplateName");
      if (own.present() && template.present()) {
        claim.invalid(
            "at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified");
      } else if (own.absent() && template.absent()) {
        claim.invalid("must specify one of: `resourceClaimName`, `resourceClaimTemplateName`");
      }
      GivenText.validate(own, Formats.DNS_SUBDOMAIN);
      GivenText.validate(template, Formats.DNS_SUBDOMAIN);
    }
  }

  /** What the status of a pod with {@code spec} says of claims. */
  static void validateClaimStatuses(Value status, Value spec) {
    validateResourceClaimStatuses(status.get("resourceClaimStatuses"), spec.get("resourceClaims"));
    validateExtendedResourceClaimStatus(status.get("extendedResourceClaimStatus"), spec);
    for (Value each : status.get("nodeAllocatableResourceClaimStatuses")) {
      validateNodeAllocatable(each, status, spec);
    }
  }

  private static void validateResourceClaimStatuses(Value statuses, Value claims) {
    Set<String> names = new HashSet<>();
    for (Value status : statuses) {
      boolean known = false;
      for (Value claim : claims) {
        known |= claim.get("name").sameAs(status.get("name"));
      }
      Value name = status.get("name").orEmpty();
      if (!known) {
        name.invalid("must match the name of an entry in `spec.resourceClaims`");
      }
      if (!names.add(name.text())) {
        name.duplicate();
      }
      if (status.get("resourceClaimName").present()) {
        subdomain(status.get("resourceClaimName"));
      }
    }
  }

  private static void subdomain(Value name) {
    String problem = Formats.DNS_SUBDOMAIN.apply(name.text());
    if (!problem.isEmpty()) {
      name.invalid(problem);
    }
  }

  /** The claim that stands for extended resources, and which request of it for which of them. */
  private static void validateExtendedResourceClaimStatus(Value status, Value spec) {
    if (status.absent()) {
      return;
    }
    Map<String, Value> containers = new HashMap<>();
    for (String list : new String[] {"initContainers", "containers"}) {
      for (Value container : spec.get(list)) {
        containers.put(container.get("name").text(), container);
      }
    }
    Value mappings = status.get("requestMappings");
    if (mappings.size() == 0) {
      mappings.required("at least one request mapping is required");
    }
    Set<List<String>> seen = new HashSet<>();
    for (Value mapping : mappings) {
      Value resource = mapping.get("resourceName").orEmpty();
      Value request = mapping.get("requestName").orEmpty();
      Value name = mapping.get("containerName").orEmpty();
      Value container = containers.get(name.text());
      if (container == null) {
        name.invalid(
            "must match the name of an entry in spec.initContainers.name or spec.containers.name");
      } else if (container.get("resources", "requests").key(resource.text()).absent()) {
        resource.invalid(
            "must match the extended resource name of an entry in"
                + " spec.initContainers.resources.requests or spec.containers.resources.requests");
      }
      String problem = Names.dnsLabel(request.text());
      if (!problem.isEmpty()) {
        // Kubernetes names the status, not the mapping
        status.get("requestName").invalid(request.text(), problem);
      }
      if (!seen.add(List.of(name.text(), resource.text(), request.text()))) {
        name.duplicate();
        resource.duplicate();
        request.duplicate();
      }
    }
    Value claim = status.get("resourceClaimName").needed();
    if (claim.filled()) {
      subdomain(claim);
    }
  }

  /** What a claim takes of the resources that nodes can allocate. */
  private static void validateNodeAllocatable(Value allocated, Value status, Value spec) {
    Value claim = allocated.get("resourceClaimName").needed("must not be empty").orEmpty();
    if (!names(spec.get("resourceClaims"), claim.text())
        && !names(status.get("resourceClaimStatuses"), claim.text())) {
      claim.invalid("no mapping found in pod reference");
    }
    allocated.get("containers").needed("must not be empty");
    allocated.get("resources").needed("must not be empty");
    for (Value amount : allocated.get("resources")) {
      if (!ResourceRules.isNative(amount.name())) {
        amount.invalid(amount.name(), "must be a node allocatable resource name");
      }
      BigDecimal number = QuantityRules.number(amount);
      if (number != null && number.signum() < 0) {
        amount.invalid(QuantityRules.text(amount), "must be non-negative");
      }
    }
  }

  private static boolean names(Value references, String claim) {
    for (Value reference : references) {
      if (reference.get("resourceClaimName").present()
          && reference.get("resourceClaimName").is(claim)) {
        return true;
      }
    }
    return false;
  }
}
