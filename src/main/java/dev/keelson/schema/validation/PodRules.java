package dev.keelson.schema.validation;

import dev.keelson.api.Names;

/** Pods, and the drafts of pods in templates. */
final class PodRules implements TypeRules {

  private static final int NAME_SERVERS = 3;
  private static final int SEARCH_PATHS = 32;
  private static final int SEARCH_CHARACTERS = 2048;

  @Override
  public void check(Value object) {
    spec(object.get("spec"));
  }

  @Override
  public void created(Value object) {
    Value spec = object.get("spec");
    if (spec.get("ephemeralContainers").size() > 0) {
      spec.get("ephemeralContainers").forbidden("cannot be set on create");
    }
    if (spec.get("nodeName").filled() && spec.get("schedulingGates").size() > 0) {
      spec.get("nodeName").forbidden("cannot be set until all schedulingGates have been cleared");
    }
  }

  @Override
  public void changed(Value object, Value old) {
    PodUpdateRules.changed(object.get("spec"), old.get("spec"));
  }

  @Override
  public void subresourceChanged(String subresource, Value object, Value old) {
    switch (subresource) {
      case "ephemeralcontainers" -> PodUpdateRules.ephemeral(object.get("spec"), old.get("spec"));
      case "resize" -> PodUpdateRules.resized(object.get("spec"), old.get("spec"));
      default -> {}
    }
  }

  @Override
  public void statusChanged(Value object, Value old) {
    Value status = object.get("status");
    status.get("nominatedNodeName").dnsSubdomain();
    for (Value ip : status.get("podIPs")) {
      ip.get("ip").as(Formats.IP);
    }
  }

  /** The draft of a pod in another object. */
  static void template(Value template) {
    Value metadata = template.get("metadata");
    labels(metadata.get("labels"), template.get("labels"));
    annotations(metadata.get("annotations"), template.get("annotations"));
    Value spec = template.get("spec");
    spec(spec);
    if (spec.get("ephemeralContainers").size() > 0) {
      spec.get("ephemeralContainers").forbidden("ephemeral containers not allowed in pod template");
    }
  }

  /** Kubernetes leaves the metadata out of the path of a template's labels. */
  static void labels(Value labels, Value shownAt) {
    Labels.map(shownAt.holding(labels.node()));
  }

  private static void annotations(Value annotations, Value shownAt) {
    for (Value each : annotations) {
      String problem = Names.qualifiedName(each.name().toLowerCase(java.util.Locale.ROOT));
      if (!problem.isEmpty()) {
        shownAt.invalid(each.name(), problem);
      }
    }
  }

  static void spec(Value spec) {
    VolumeRules.check(spec.get("volumes"));
    new ContainerRules(spec).check();
    SchedulingRules.check(spec);
    SecurityRules.pod(spec);
    ResourceRules.requirements(spec.get("resources"));
    spec.get("nodeName").dnsSubdomain();
    spec.get("serviceAccountName").dnsSubdomain();
    spec.get("hostname").dnsLabel();
    spec.get("subdomain").dnsLabel();
    spec.get("hostnameOverride").dnsSubdomain();
    spec.get("activeDeadlineSeconds").range(1, Integer.MAX_VALUE);
    spec.get("priorityClassName").dnsSubdomain();
    spec.get("runtimeClassName").dnsSubdomain();
    spec.get("os", "name").oneOf("linux", "windows");
    for (Value amount : spec.get("overhead")) {
      Amount.notNegative(amount);
    }
    for (Value gate : spec.get("readinessGates")) {
      Labels.name(gate.get("conditionType"));
    }
    dns(spec);
    aliases(spec.get("hostAliases"));
    claims(spec.get("resourceClaims"));
  }

  private static void dns(Value spec) {
    Value config = spec.get("dnsConfig");
    Value servers = config.get("nameservers");
    if (spec.get("dnsPolicy").is("None")) {
      if (config.absent()) {
        config.required("must provide `dnsConfig` when `dnsPolicy` is None");
      } else if (servers.size() == 0) {
        servers.required("must provide at least one DNS nameserver when `dnsPolicy` is None");
      }
    }
    if (config.absent()) {
      return;
    }
    if (servers.size() > NAME_SERVERS) {
      servers.invalid("must not have more than " + NAME_SERVERS + " nameservers");
    }
    for (Value server : servers) {
      server.as(Formats.IP);
    }
    Value searches = config.get("searches");
    int characters = Math.max(0, searches.size() - 1);
    for (Value search : searches) {
      characters += search.text().length();
      String domain = search.text();
      if (domain.endsWith(".") && domain.length() > 1) {
        domain = domain.substring(0, domain.length() - 1);
      }
      String problem = domain.equals(".") ? "" : Names.dnsSubdomain(domain.replace("_", "a"));
      if (!problem.isEmpty()) {
        search.invalid(problem);
      }
    }
    if (searches.size() > SEARCH_PATHS) {
      searches.invalid("must not have more than " + SEARCH_PATHS + " search paths");
    }
    if (characters > SEARCH_CHARACTERS) {
      searches.invalid(
          "must not have more than "
              + SEARCH_CHARACTERS
              + " characters (including spaces) in the search list");
    }
    for (Value option : config.get("options")) {
      option.get("name").needed("must not be empty");
    }
  }

  private static void aliases(Value aliases) {
    for (Value alias : aliases) {
      Value ip = Labels.orEmpty(alias.get("ip"));
      String problem = Formats.IP.apply(ip.text());
      if (!problem.isEmpty()) {
        ip.invalid(problem);
      }
      for (Value host : alias.get("hostnames")) {
        String hostProblem = Names.dnsSubdomain(host.text());
        if (!hostProblem.isEmpty()) {
          alias.get("hostnames").invalid(host.text(), hostProblem);
        }
      }
    }
  }

  private static void claims(Value claims) {
    for (Value claim : claims) {
      claim.get("name").dnsLabel();
      Value name = claim.get("resourceClaimName");
      Value template = claim.get("resourceClaimTemplateName");
      if (name.present() && template.present()) {
        claim.invalid(
            "at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified");
      } else if (name.absent() && template.absent()) {
        claim.invalid("must specify one of: `resourceClaimName`, `resourceClaimTemplateName`");
      }
      name.dnsSubdomain();
      template.dnsSubdomain();
    }
    claims.uniqueBy("name");
  }
}
