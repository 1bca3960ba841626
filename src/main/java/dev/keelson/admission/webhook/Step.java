package dev.keelson.admission.webhook;

/** The phase in which a webhook is called. */
public enum Step {
  /** Webhooks of a MutatingWebhookConfiguration. */
  MUTATING("admit", "mutating"),
  /** Webhooks of a ValidatingWebhookConfiguration. */
  VALIDATING("validating", "validating");

  private final String text;
  private final String adjective;

  Step(String text, String adjective) {
    this.text = text;
    this.adjective = adjective;
  }

  /** The value of the label {@code type} in Kubernetes' metrics of webhook calls. */
  public String text() {
    return text;
  }

  /** The plural of the configurations. */
  public String configurations() {
    return adjective + "webhookconfigurations";
  }

  /** The word in messages and annotations. */
  String adjective() {
    return adjective;
  }
}
