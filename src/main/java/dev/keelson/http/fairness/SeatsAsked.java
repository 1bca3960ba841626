package dev.keelson.http.fairness;

import dev.keelson.flow.level.Classified;
import dev.keelson.flow.level.WorkEstimator;
import dev.keelson.flow.queue.WorkEstimate;
import dev.keelson.http.Exchange;
import dev.keelson.http.Query;
import dev.keelson.request.RequestInfo;

/** Estimates the work of a request by its parameters. */
record SeatsAsked(FairnessParts parts, Classified where) {

  WorkEstimate of(Exchange exchange) {
    WorkEstimate estimate =
        exchange.info() instanceof RequestInfo.Resource resource
            ? of(resource, exchange.request().query())
            : WorkEstimate.ONE;
    parts
        .metrics()
        .estimated(where.level().spec().name(), where.schema().name(), estimate.maxSeats());
    return estimate;
  }

  private WorkEstimate of(RequestInfo.Resource resource, Query query) {
    return switch (resource.verb()) {
      case LIST -> list(resource, query, isFromStore(query));
      case WATCH ->
          query.flag("sendInitialEvents")
              ? list(resource, query, /* fromStore= */ false)
              : WorkEstimate.ONE;
      case CREATE, UPDATE, PATCH, DELETE -> write(resource);
      case GET, DELETE_COLLECTION, CONNECT -> WorkEstimate.ONE;
    };
  }

  private WorkEstimate list(RequestInfo.Resource resource, Query query, boolean fromStore) {
    long limit;
    try {
      limit = query.has("limit") ? Long.parseLong(query.first("limit")) : 0;
    } catch (NumberFormatException invalid) {
      // its verb refuses it
      return parts.work().invalidList(where.level().maxSeats());
    }
    boolean selects =
        !query.first("fieldSelector").isEmpty() || !query.first("labelSelector").isEmpty();
    return parts
        .work()
        .list(
            resource,
            new WorkEstimator.Selection(limit, selects, fromStore),
            where.level().maxSeats());
  }

  /** Whether a list is at an older revision (source: cacher/delegator, ShouldDelegateList). */
  private static boolean isFromStore(Query query) {
    String version = query.first("resourceVersion");
    return switch (query.first("resourceVersionMatch")) {
      case "NotOlderThan" -> false;
      case "" ->
          !query.first("continue").isEmpty()
              || (!query.first("limit").isEmpty()
                  && !query.first("limit").equals("0")
                  && !version.isEmpty()
                  && !version.equals("0"));
      default -> true;
    };
  }

  private WorkEstimate write(RequestInfo.Resource resource) {
    if (isTokenRequest(resource)) {
      return WorkEstimate.ONE;
    }
    int watches = parts.work().cluster().watches(resource);
    parts.metrics().watches(where.level().spec().name(), where.schema().name(), watches);
    return parts.work().write(watches, where.level().maxSeats());
  }

  /**
   * Whether a write concerns no watch, whatever watches its resource has (source:
   * mutating_work_estimator.go, {@code isRequestExemptFromWatchEvents}).
   */
  private static boolean isTokenRequest(RequestInfo.Resource resource) {
    return resource.resource().equals("serviceaccounts") && resource.subresource().equals("token");
  }
}
