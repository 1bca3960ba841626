package dev.keelson.admission.plugin;

import dev.keelson.admission.Admission;
import dev.keelson.admission.AdmissionAttributes;

/** AlwaysDeny: rejects every write. */
final class AlwaysDeny implements Admission {

  @Override
  public void validate(AdmissionAttributes call) {
    throw call.forbidden("admission control is denying all modifications");
  }
}
