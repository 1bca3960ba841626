# Everything a developer runs. `make` alone lists the targets.
#
# ARGS goes to the server (make run ARGS="--secure-port 7443") and to Maven elsewhere
# (make test ARGS="-Dit.test=KubectlOnSqliteIT").

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.PHONY: help screenshots run build test junit junit-bench coverage fuzz native native-test native-smoke soak chaos model attack bench scale format clean

ARGS ?=
# MVN_FLAGS= shows Maven's own output as well.
MVN_FLAGS ?= -q
MVN := ./mvnw -B -ntp $(MVN_FLAGS)

JAR := target/quarkus-app/quarkus-run.jar
SOURCES := pom.xml $(shell find src/main -name node_modules -prune -o -type f -print 2>/dev/null)
RUNNER := $(wildcard target/*-runner)

help: ## List the targets
	@echo "Keelson: a Kubernetes-compatible resource API server"
	@echo
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)$$/  make \1|\2/p' $(MAKEFILE_LIST) | column -t -s '|' 2>/dev/null \
	  || sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)$$/  make \1  \2/p' $(MAKEFILE_LIST)
	@echo
	@echo "A JDK 25 is found by bin/find-jdk even when java on the PATH is older."

# Starts the native executable if it is newer than every source, else the JVM build.
run: ## Build if sources changed and start the server on its embedded store in ./data
	@if [ -n "$(RUNNER)" ] && [ -z "$$(find pom.xml src/main -name node_modules -prune -o -type f -newer $(or $(RUNNER),pom.xml) -print -quit)" ]; then \
	  env KEELSON_RUNTIME=native bin/keelson --allow-privileged $(ARGS); \
	else \
	  $(MAKE) --no-print-directory $(JAR) ARGS=; \
	  env KEELSON_RUNTIME=jvm bin/keelson --allow-privileged $(ARGS); \
	fi

build: $(JAR) ## Build the JVM server into target/quarkus-app

$(JAR): $(SOURCES)
	@bin/ensure jdk mvn node npm
	@echo "building Keelson (the first build fetches its dependencies)"
	@$(MVN) package -DskipTests $(ARGS)
	@touch $(JAR)

test: ## Run every check: compiler warnings, format, architecture, unit, store and black-box tests
	@bin/ensure jdk mvn node npm etcd kubectl chromedriver script
	@$(MVN) verify $(ARGS)

# JUNIT_SAMPLES= leaves out the sample projects, which fetch Spring Boot and Quarkus 3.27.
JUNIT_SAMPLES ?= plain quarkus spring-boot-3 spring-boot-4

junit: $(JAR) ## Build, test and install keelson-junit and keelson-devservice; test the samples and the example with them
	@bin/ensure jdk mvn
	@$(MVN) -f junit/pom.xml install $(ARGS)
	@$(MVN) -f devservice/pom.xml install $(ARGS)
	@$(MVN) -f examples/operator/pom.xml test $(ARGS)
	@[ -z "$(JUNIT_SAMPLES)" ] || junit/src/it/run $(JUNIT_SAMPLES)

junit-bench: ## Measure keelson-junit beside fabric8's mock server (after make junit)
	@bin/ensure jdk mvn
	@for server in mock keelson; do \
	  $(MVN) -f junit/pom.xml test-compile exec:exec@bench -Dbench.server=$$server $(ARGS); \
	done

coverage: ## Report which code the tests run, in target/site/jacoco (ARGS=-DskipITs: unit tests only)
	@bin/ensure jdk mvn node npm etcd kubectl chromedriver script
	@rm -f target/jacoco*.exec
	@$(MVN) verify -Pcoverage $(ARGS)
	@echo "report: target/site/jacoco/index.html"

fuzz: ## Run the fuzz tests with a million random inputs each, then the coverage-guided fuzzer
	@bin/ensure jdk mvn
	@$(MVN) test -Dtest='*FuzzTest' -Dsurefire.failIfNoSpecifiedTests=false -Dkeelson.fuzz.rounds=1000000 \
	  -Dkeelson.fuzz.seed=$$RANDOM $(ARGS)
	@$(MVN) test-compile -Pfuzz exec:exec $(ARGS)

native: ## Build the native executable with the GraalVM or Mandrel 25 in GRAALVM_HOME
	@bin/ensure jdk mvn node npm gcc zlib
	@bin/with-graalvm ./mvnw -B -ntp $(MVN_FLAGS) package -Dnative -Dmaven.test.skip=true $(ARGS)
	@ls -l target/*-runner

native-test: ## Run the black-box suite against the native executable
	@bin/ensure jdk mvn etcd kubectl chromedriver script
	@$(MVN) test-compile failsafe:integration-test failsafe:verify -Dkeelson.native=true $(ARGS)

native-smoke: ## Test the native executable on both stores with kubectl, print start-up time and memory
	@bin/ensure jdk mvn etcd kubectl
	@$(MVN) test-compile failsafe:integration-test failsafe:verify -Dkeelson.native=true -Dit.test='*SmokeIT,TlsImplementationIT' $(ARGS)
	@ls -l target/*-runner
	@cat target/smoke/native-*.txt

model: ## Run the controllers against models of workloads: 10,000 random steps with faults
	@bin/ensure jdk mvn
	@$(MVN) test -Dtest=WorkloadModelTest -Dkeelson.model.steps=10000 $(ARGS)

soak: $(JAR) ## Run random clients under faults, ten minutes per store, and check their histories; then 10,000 increments through two servers
	@bin/ensure jdk mvn etcd
	@$(MVN) test-compile failsafe:integration-test failsafe:verify -Dit.test='ReadsSoak*IT,TwoServersIT' -Dkeelson.soak=PT10M -Dkeelson.increments=10000 $(ARGS)

chaos: $(JAR) ## Run clients under a random schedule of faults, a minute per store, and check that they see linearizable stores
	@bin/ensure jdk mvn etcd gcc
	@$(MVN) test-compile failsafe:integration-test failsafe:verify -Dit.test='Chaos*IT' -Dkeelson.chaos=PT1M $(ARGS)

attack: $(JAR) ## Play hostile clients beside one that behaves, ten times as many as make test does, and print the table
	@bin/ensure jdk mvn
	@$(MVN) test-compile failsafe:integration-test failsafe:verify -Dit.test=HostileClientsIT -Dkeelson.attack=10 $(ARGS)
	@cat target/attack.md

bench: $(JAR) ## Measure start-up, reads, watches, writes and representations
	@bin/ensure jdk mvn etcd kubectl curl
	@$(MVN) test-compile -Pbench exec:java $(ARGS)
	@$(MVN) -Pbench exec:java -Dbench.main=dev.keelson.bench.ReadsBench $(ARGS)
	@$(MVN) -Pbench exec:java -Dbench.main=dev.keelson.bench.ConsistentReadsBench $(ARGS)
	@$(MVN) -Pbench exec:java -Dbench.main=dev.keelson.bench.EtcdWritesBench $(ARGS)
	@$(MVN) -Pbench exec:java -Dbench.main=dev.keelson.bench.FanOutBench $(ARGS)
	@$(MVN) -Pbench exec:java -Dbench.main=dev.keelson.bench.AuthenticationBench $(ARGS)
	@$(MVN) -Pbench exec:java -Dbench.main=dev.keelson.bench.WritesBench $(ARGS)
	@$(MVN) -Pbench exec:java -Dbench.main=dev.keelson.bench.RepresentationsBench $(ARGS)
	@$(MVN) -Pbench exec:java -Dbench.main=dev.keelson.bench.EdgeBench $(ARGS)
	@$(MVN) -Pbench exec:java -Dbench.main=dev.keelson.bench.ColdStartBench $(ARGS)
	@$(MVN) -Pbench exec:java -Dbench.main=dev.keelson.bench.CustomObjectsBench $(ARGS)
	@$(MVN) -Pbench exec:java -Dbench.main=dev.keelson.bench.ManyDefinitionsBench $(ARGS)
	@$(MVN) -Pbench exec:java -Dbench.main=dev.keelson.server.QuotaBench $(ARGS)
	@$(MVN) -Pbench exec:java -Dbench.main=dev.keelson.bench.PoliciesBench $(ARGS)
	@$(MVN) -Pbench exec:java -Dbench.main=dev.keelson.bench.WebhooksBench $(ARGS)
	@$(MVN) -Pbench exec:java -Dbench.main=dev.keelson.bench.AuditBench $(ARGS)
	@$(MVN) -Pbench exec:java -Dbench.main=dev.keelson.bench.TracingBench $(ARGS)
	@$(MVN) -Pbench exec:java -Dbench.main=dev.keelson.bench.AuditTrailBench $(ARGS)
	@$(MVN) -Pbench exec:java -Dbench.main=dev.keelson.bench.NodeStreamsBench $(ARGS)
	@$(MVN) -Pbench exec:java -Dbench.main=dev.keelson.server.AdmissionReachBench $(ARGS)
	@$(MVN) -Pbench exec:java -Dbench.main=dev.keelson.bench.AppliedObjectsBench $(ARGS)
	@$(MVN) -Pbench exec:java -Dbench.main=dev.keelson.bench.WorkloadsBench $(ARGS)
	@$(MVN) -Pbench exec:java -Dbench.main=dev.keelson.bench.SchedulerBench $(ARGS)
	@$(MVN) -Pbench exec:java -Dbench.main=dev.keelson.bench.OverloadBench $(ARGS)

scale: $(JAR) ## Simulate a large cluster, and restart servers with 10,000 watches (docs/scale.md)
	@bin/ensure jdk mvn etcd
	@MAVEN_OPTS=-Xmx4g $(MVN) test-compile -Pbench exec:java -Dbench.main=dev.keelson.bench.ScaleBench -Dexec.args=docs/scale $(ARGS)
	@$(MVN) -Pbench exec:java -Dbench.main=dev.keelson.bench.RolloverBench $(ARGS)
	@$(MVN) -Pbench exec:java -Dbench.main=dev.keelson.bench.RollingUpdateBench $(ARGS)

format: ## Format the sources
	@bin/ensure jdk mvn
	@$(MVN) spotless:apply

screenshots: $(JAR) ## Take the screenshots of docs/console with Debian's Chromium
	@bin/ensure jdk mvn chromedriver
	@$(MVN) test-compile failsafe:integration-test failsafe:verify -Dit.test=ConsoleIT,ConsoleToolsIT -Dkeelson.screenshots=docs/console $(ARGS)
	@ls -l docs/console

clean: ## Remove build output (not ./data)
	@rm -rf target
