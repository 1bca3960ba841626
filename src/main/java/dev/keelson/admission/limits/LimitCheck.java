package dev.keelson.admission.limits;

import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import dev.keelson.quota.PodResources;
import dev.keelson.quota.ResourceList;
import dev.keelson.value.Quantity;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Compares requests and limits with one limit of a LimitRange, in kube-apiserver's words. */
final class LimitCheck {

  private final String type;
  private final ResourceList requests;
  private final ResourceList limits;
  private final List<String> violations;

  private LimitCheck(
      String type, ResourceList requests, ResourceList limits, List<String> violations) {
    this.type = type;
    this.requests = requests;
    this.limits = limits;
    this.violations = violations;
  }

  static List<String> violationsOfPod(ApiObject limitRange, ApiObject pod) {
    List<String> violations = new ArrayList<>();
    for (MapNode limit : limitRange.root().map("spec").maps("limits")) {
      switch (limit.text("type")) {
        case "Container" -> {
          for (String list : List.of("containers", "initContainers")) {
            for (MapNode container : pod.root().map("spec").maps(list)) {
              MapNode resources = container.map("resources");
              new LimitCheck(
                      "Container",
                      ResourceList.of(resources.map("requests")),
                      ResourceList.of(resources.map("limits")),
                      violations)
                  .check(limit);
            }
          }
        }
        case "Pod" ->
            new LimitCheck(
                    "Pod",
                    PodResources.declaredRequests(pod),
                    PodResources.declaredLimits(pod),
                    violations)
                .check(limit);
        default -> {}
      }
    }
    return violations;
  }

  /** Claims have requests only. */
  static List<String> violationsOfClaim(ApiObject limitRange, ApiObject claim) {
    List<String> violations = new ArrayList<>();
    ResourceList requests =
        ResourceList.of(claim.root().map("spec").map("resources").map("requests"));
    for (MapNode limit : limitRange.root().map("spec").maps("limits")) {
      if (limit.text("type").equals("PersistentVolumeClaim")) {
        LimitCheck check =
            new LimitCheck("PersistentVolumeClaim", requests, ResourceList.EMPTY, violations);
        ResourceList.of(limit.map("min")).amounts().forEach(check::min);
        ResourceList.of(limit.map("max")).amounts().forEach(check::maxRequest);
      }
    }
    return violations;
  }

  private void check(MapNode limit) {
    ResourceList.of(limit.map("min")).amounts().forEach(this::min);
    ResourceList.of(limit.map("max")).amounts().forEach(this::max);
    ResourceList.of(limit.map("maxLimitRequestRatio")).amounts().forEach(this::ratio);
  }

  private void min(String name, Quantity least) {
    Quantity request = requests.get(name);
    Quantity limit = limits.get(name);
    String bound = "minimum " + name + " usage per " + type + " is " + least;
    if (request == null) {
      violations.add(bound + ".  No request is specified");
    } else if (request.compareTo(least) < 0) {
      violations.add(bound + ", but request is " + request);
    } else if (limit != null && limit.compareTo(least) < 0) {
      violations.add(bound + ", but limit is " + limit);
    }
  }

  private void max(String name, Quantity most) {
    Quantity request = requests.get(name);
    Quantity limit = limits.get(name);
    String bound = "maximum " + name + " usage per " + type + " is " + most;
    if (limit == null) {
      violations.add(bound + ".  No limit is specified");
    } else if (limit.compareTo(most) > 0) {
      violations.add(bound + ", but limit is " + limit);
    } else if (request != null && request.compareTo(most) > 0) {
      violations.add(bound + ", but request is " + request);
    }
  }

  private void maxRequest(String name, Quantity most) {
    Quantity request = requests.get(name);
    String bound = "maximum " + name + " usage per " + type + " is " + most;
    if (request == null) {
      violations.add(bound + ".  No request is specified");
    } else if (request.compareTo(most) > 0) {
      violations.add(bound + ", but request is " + request);
    }
  }

  private void ratio(String name, Quantity most) {
    Quantity request = requests.get(name);
    Quantity limit = limits.get(name);
    String bound = name + " max limit to request ratio per " + type + " is " + most;
    if (request == null || request.signum() == 0) {
      violations.add(bound + ", but no request is specified or request is 0");
    } else if (limit == null || limit.signum() == 0) {
      violations.add(bound + ", but no limit is specified or limit is 0");
    } else if (limit.amount().compareTo(request.amount().multiply(most.amount())) > 0) {
      double given = limit.amount().doubleValue() / request.amount().doubleValue();
      violations.add(bound + String.format(Locale.ROOT, ", but provided ratio is %f", given));
    }
  }
}
