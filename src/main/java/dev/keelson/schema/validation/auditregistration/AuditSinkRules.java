package dev.keelson.schema.validation.auditregistration;

import dev.keelson.schema.validation.KindRules;
import dev.keelson.schema.validation.Value;
import dev.keelson.schema.validation.WebhookAddresses;
import java.util.List;

/** Audit sinks (source: {@code pkg/apis/auditregistration/validation} of Kubernetes 1.18). */
final class AuditSinkRules implements KindRules {

  private static final String[] STAGES = {
    "Panic", "RequestReceived", "ResponseComplete", "ResponseStarted"
  };
  private static final String[] LEVELS = {"Metadata", "None", "Request", "RequestResponse"};

  @Override
  public void validateCreate(Value object) {
    Value spec = object.get("spec");
    policy(spec.get("policy"));
    webhook(spec.get("webhook"));
  }

  @Override
  public void validateUpdate(Value object, Value old) {
    validateCreate(object);
  }

  private static void policy(Value policy) {
    Value level = policy.get("level");
    Value stages = policy.get("stages");
    // in place of what else is wrong with the policy
    if (!stages.filled() && !level.is("None")) {
      stages.required("");
      return;
    }
    for (Value stage : stages) {
      if (!List.of(STAGES).contains(stage.text())) {
        stage.invalid("allowed stages are " + String.join(",", STAGES));
      }
    }
    if (level.filled()) {
      level.oneOf(LEVELS);
    } else {
      level.required("");
    }
  }

  private static void webhook(Value webhook) {
    Value throttle = webhook.get("throttle");
    positive(throttle.get("qps"), "qps");
    positive(throttle.get("burst"), "burst");
    Value client = webhook.get("clientConfig");
    Value url = client.get("url");
    Value service = client.get("service");
    if (url.present() == service.present()) {
      client.required("exactly one of url or service is required");
    } else if (url.present()) {
      WebhookAddresses.validateUrl(url);
    } else {
      service.get("name").needed();
      service.get("namespace").needed();
      WebhookAddresses.validatePort(service.get("port"));
      WebhookAddresses.validatePath(service.get("path"));
    }
  }

  private static void positive(Value number, String name) {
    if (number.present() && number.number() <= 0) {
      number.invalid(name + " must be a positive number");
    }
  }
}
