package dev.keelson.schema.validation;

import java.util.regex.Pattern;

/** Security settings of pods and containers. */
final class SecurityRules {

  private static final Pattern SYSCTL =
      Pattern.compile("([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?");
  private static final long MAX_ID = Integer.MAX_VALUE;

  private SecurityRules() {}

  /** The {@code securityContext} of a container. */
  static void container(Value context, Value hostUsers) {
    if (context.absent()) {
      return;
    }
    ids(context);
    if (context.get("procMount").is("Unmasked") && (hostUsers.absent() || hostUsers.flag())) {
      context.get("procMount").invalid("`hostUsers` must be false to use `Unmasked`");
    }
    profiles(context);
    WindowsRules.options(context.get("windowsOptions"));
    Value escalation = context.get("allowPrivilegeEscalation");
    if (escalation.present() && !escalation.flag()) {
      if (context.get("privileged").flag()) {
        context.invalid("cannot set `allowPrivilegeEscalation` to false and `privileged` to true");
      }
      for (Value added : context.get("capabilities", "add")) {
        if (added.is("CAP_SYS_ADMIN")) {
          context.invalid(
              "cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN");
        }
      }
    }
  }

  /** The {@code securityContext} of the pod spec {@code pod}. */
  static void pod(Value pod) {
    Value context = pod.get("securityContext");
    if (pod.get("shareProcessNamespace").flag() && pod.get("hostPID").flag()) {
      pod.get("shareProcessNamespace")
          .invalid("ShareProcessNamespace and HostPID cannot both be enabled");
    }
    if (context.absent()) {
      return;
    }
    ids(context);
    profiles(context);
    WindowsRules.options(context.get("windowsOptions"));
    context.get("fsGroup").range(0, MAX_ID);
    for (Value group : context.get("supplementalGroups")) {
      group.range(0, MAX_ID);
    }
    Value sysctls = context.get("sysctls");
    for (Value sysctl : sysctls) {
      Value name = sysctl.get("name");
      if (name.filled() && (name.text().length() > 253 || !SYSCTL.matcher(name.text()).matches())) {
        name.invalid(
            "must have at most 253 characters and match regex"
                + " ^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$");
      }
      if (pod.get("hostNetwork").flag() && name.text().startsWith("net.")) {
        name.invalid("may not be specified when 'hostNetwork' is true");
      }
      if (pod.get("hostIPC").flag() && name.text().startsWith("kernel.shm")) {
        name.invalid("may not be specified when 'hostIPC' is true");
      }
    }
    sysctls.uniqueBy("name");
  }

  private static void ids(Value context) {
    context.get("runAsUser").range(0, MAX_ID);
    context.get("runAsGroup").range(0, MAX_ID);
  }

  private static void profiles(Value context) {
    localhost(context.get("seccompProfile"), "seccomp");
    localhost(context.get("appArmorProfile"), "AppArmor");
  }

  private static void localhost(Value profile, String what) {
    Value file = profile.get("localhostProfile");
    if (profile.get("type").is("Localhost")) {
      if (!file.filled()) {
        file.required(
            what.equals("seccomp")
                ? "must be set when seccomp type is Localhost"
                : "must be set when AppArmor type is Localhost");
      } else if (what.equals("seccomp")) {
        file.as(Formats.RELATIVE_PATH);
      }
    } else if (file.present()) {
      // Kubernetes shows the whole profile for the one, the file for the other
      Value shown = what.equals("seccomp") ? file.holding(profile.node()) : file;
      shown.invalid("can only be set when " + what + " type is Localhost");
    }
  }
}
