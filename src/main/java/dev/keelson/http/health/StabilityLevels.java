package dev.keelson.http.health;

import java.util.List;
import java.util.Set;

/**
 * The stability levels of Kubernetes' metrics, with which the help of each begins (source:
 * component-base, {@code metrics/opts.go}; test/instrumentation has the list of 1.36). Metrics of
 * this server alone and of the process have none.
 */
final class StabilityLevels {

  private static final Set<String> STABLE =
      Set.of(
          "apiserver_admission_controller_admission_duration_seconds",
          "apiserver_admission_step_admission_duration_seconds",
          "apiserver_admission_webhook_admission_duration_seconds",
          "apiserver_current_inflight_requests",
          "apiserver_longrunning_requests",
          "apiserver_request_duration_seconds",
          "apiserver_request_total",
          "apiserver_requested_deprecated_apis",
          "apiserver_response_sizes",
          "apiserver_storage_objects",
          "apiserver_storage_size_bytes",
          "kubernetes_healthcheck",
          "kubernetes_healthchecks_total",
          "scheduler_pending_pods",
          "scheduler_pod_scheduling_attempts",
          "scheduler_preemption_attempts_total",
          "scheduler_preemption_victims",
          "scheduler_schedule_attempts_total",
          "scheduler_scheduling_attempt_duration_seconds");

  private static final Set<String> BETA =
      Set.of(
          "apiserver_authentication_config_controller_automatic_reload_last_timestamp_seconds",
          "apiserver_authentication_config_controller_automatic_reloads_total",
          "apiserver_authorization_config_controller_automatic_reload_last_timestamp_seconds",
          "apiserver_authorization_config_controller_automatic_reloads_total",
          "apiserver_cel_compilation_duration_seconds",
          "apiserver_cel_evaluation_duration_seconds",
          "apiserver_flowcontrol_current_executing_requests",
          "apiserver_flowcontrol_current_executing_seats",
          "apiserver_flowcontrol_current_inqueue_requests",
          "apiserver_flowcontrol_dispatched_requests_total",
          "apiserver_flowcontrol_nominal_limit_seats",
          "apiserver_flowcontrol_rejected_requests_total",
          "apiserver_flowcontrol_request_wait_duration_seconds",
          "apiserver_storage_events_received_total",
          "apiserver_validating_admission_policy_check_duration_seconds",
          "apiserver_validating_admission_policy_check_total",
          "apiserver_watch_list_duration_seconds",
          "kubernetes_build_info",
          "kubernetes_feature_enabled",
          "scheduler_pod_scheduling_sli_duration_seconds");

  /** How the names of Kubernetes' metrics begin. */
  private static final List<String> KUBERNETES =
      List.of(
          "aggregator_",
          "apiserver_",
          "authenticated_user_",
          "authentication_",
          "authorization_",
          "etcd_",
          "field_validation_",
          "kube_apiserver_",
          "kubernetes_",
          "pod_security_",
          "rest_client_",
          "scheduler_",
          "serviceaccount_",
          "watch_cache_",
          "workqueue_");

  private StabilityLevels() {}

  /** What the help of a metric begins with; empty for one that is not Kubernetes'. */
  static String prefix(String name) {
    if (STABLE.contains(name)) {
      return "[STABLE] ";
    }
    if (BETA.contains(name)) {
      return "[BETA] ";
    }
    // Micrometer's gauges beside histograms
    boolean own = name.endsWith("_max") || KUBERNETES.stream().noneMatch(name::startsWith);
    return own ? "" : "[ALPHA] ";
  }
}
