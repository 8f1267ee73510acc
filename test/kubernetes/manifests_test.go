// Package kubernetes tests the manifests and the compose files of deploy/ with the libraries of the programs that read
// them, a module of its own, so that the service does not depend on these.
package kubernetes

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/json"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
)

// shutdown is how long frontdesk takes at most to finish requests in flight
// (internal/server.ShutdownTimeout).
const shutdown = 20 * time.Second

type built struct {
	deployment appsv1.Deployment
	service    corev1.Service
	settings   corev1.ConfigMap
	budget     policyv1.PodDisruptionBudget
	policy     networkingv1.NetworkPolicy
}

func build(t *testing.T) built {
	t.Helper()
	kustomizer := krusty.MakeKustomizer(krusty.MakeDefaultOptions())
	resources, err := kustomizer.Run(filesys.MakeFsOnDisk(), "../../deploy/kubernetes")
	if err != nil {
		t.Fatal(err)
	}
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{
		appsv1.AddToScheme, corev1.AddToScheme, networkingv1.AddToScheme, policyv1.AddToScheme,
	} {
		utilruntime.Must(add(scheme))
	}
	options := json.SerializerOptions{Yaml: true, Strict: true}
	decoder := json.NewSerializerWithOptions(json.DefaultMetaFactory, scheme, scheme, options)
	var b built
	objects := map[string]metav1.Object{
		"Deployment": &b.deployment, "Service": &b.service, "ConfigMap": &b.settings, "PodDisruptionBudget": &b.budget,
		"NetworkPolicy": &b.policy,
	}
	for _, resource := range resources.Resources() {
		object, known := objects[resource.GetKind()].(runtime.Object)
		text, err := resource.AsYAML()
		if err != nil || !known {
			t.Fatalf("%s: unknown or unreadable: %v", resource.CurId(), err)
		}
		if _, _, err := decoder.Decode(text, nil, object); err != nil {
			t.Errorf("%s: %v", resource.CurId(), err)
		}
	}
	for name, object := range objects {
		if object.GetName() == "" || object.GetNamespace() != "frontdesk" {
			t.Errorf("there is no %s in the namespace frontdesk", name)
		}
	}
	return b
}

func TestManifests(t *testing.T) {
	b := build(t)
	pod := b.deployment.Spec.Template.Spec
	container := pod.Containers[0]
	drain, err := time.ParseDuration(b.settings.Data["FRONTDESK_DRAIN_DELAY"])
	if err != nil {
		t.Fatal(err)
	}
	labelled := labels.Set(b.deployment.Spec.Template.Labels)
	for name, selector := range map[string]*metav1.LabelSelector{
		"Deployment": b.deployment.Spec.Selector, "PodDisruptionBudget": b.budget.Spec.Selector,
		"NetworkPolicy": &b.policy.Spec.PodSelector, "Service": {MatchLabels: b.service.Spec.Selector},
		"topology spread constraint": pod.TopologySpreadConstraints[0].LabelSelector,
	} {
		parsed, err := metav1.LabelSelectorAsSelector(selector)
		if err != nil || parsed.Empty() || !parsed.Matches(labelled) {
			t.Errorf("%s selects %v, the pods have %v (%v)", name, selector, labelled, err)
		}
	}
	least, all := b.budget.Spec.MinAvailable.IntValue(), int(*b.deployment.Spec.Replicas)
	if least < 1 || least >= all {
		t.Errorf("the budget keeps %d of %d instances", least, all)
	}

	if c := pod.SecurityContext; !*c.RunAsNonRoot || *c.RunAsUser != 65532 ||
		c.SeccompProfile.Type != corev1.SeccompProfileTypeRuntimeDefault {
		t.Errorf("the pod may run as root or without a system call filter: %+v", c)
	}
	if c := container.SecurityContext; !*c.ReadOnlyRootFilesystem || *c.AllowPrivilegeEscalation ||
		!slices.Equal(c.Capabilities.Drop, []corev1.Capability{"ALL"}) {
		t.Errorf("the container has more rights than it needs: %+v", c)
	}
	if *pod.AutomountServiceAccountToken || *pod.EnableServiceLinks {
		t.Error("the pod gets a token of the cluster, or variables that look like settings")
	}
	if grace := time.Duration(*pod.TerminationGracePeriodSeconds) * time.Second; grace <= drain+shutdown {
		t.Errorf("killed after %v; draining takes %v, stopping %v", grace, drain, shutdown)
	}
	if container.Resources.Limits.Memory().IsZero() {
		t.Error("the memory of an instance has no bound")
	}
	update := b.deployment.Spec.Strategy.RollingUpdate
	if update.MaxUnavailable.IntValue() != 0 || update.MaxSurge.IntValue() < 1 {
		t.Errorf("an update takes instances away before others are ready: %+v", update)
	}

	ports := map[string]int32{}
	for _, port := range container.Ports {
		ports[port.Name] = port.ContainerPort
	}
	readiness := container.ReadinessProbe
	for path, probes := range map[string][]*corev1.Probe{
		"/healthz": {container.StartupProbe, container.LivenessProbe}, "/readyz": {readiness},
	} {
		for _, probe := range probes {
			if probe.HTTPGet == nil || probe.HTTPGet.Path != path || probe.HTTPGet.Port.StrVal != "admin" {
				t.Errorf("a probe asks %+v, want %s on the port admin", probe.HTTPGet, path)
			}
		}
	}
	if addr := b.settings.Data["FRONTDESK_ADMIN_ADDR"]; addr != fmt.Sprint(":", ports["admin"]) {
		t.Errorf("the probes ask port %d, the service listens on %s", ports["admin"], addr)
	}
	if target := b.service.Spec.Ports[0].TargetPort.StrVal; ports[target] != 8080 {
		t.Errorf("the Service leads to port %q, which is %d", target, ports[target])
	}
	if notice := readiness.PeriodSeconds * readiness.FailureThreshold; time.Duration(notice)*time.Second >= drain {
		t.Errorf("an instance that stops is noticed after %d s, it accepts for %v", notice, drain)
	}

	if len(container.EnvFrom) != 1 || container.EnvFrom[0].ConfigMapRef.Name != b.settings.Name {
		t.Errorf("the container reads %+v, the settings are in %s", container.EnvFrom, b.settings.Name)
	}
	mounts := map[string]string{}
	for _, mount := range container.VolumeMounts {
		if !slices.ContainsFunc(pod.Volumes, func(v corev1.Volume) bool { return v.Name == mount.Name }) {
			t.Errorf("%s is mounted from the volume %s, which does not exist", mount.MountPath, mount.Name)
		}
		mounts[mount.Name] = mount.MountPath
	}
	for _, variable := range container.Env {
		plain, isFile := strings.CutSuffix(variable.Name, "_FILE")
		if !isFile || !strings.HasPrefix(variable.Value, mounts["secrets"]+"/") || b.settings.Data[plain] != "" {
			t.Errorf("%s=%s is not a file of the secret, or a second value", variable.Name, variable.Value)
		}
	}
	if got := fmt.Sprintf("%s %s %s", mounts["data"], mounts["tmp"], container.Args); got != "/data /tmp [serve]" {
		t.Errorf("writable folders and arguments: %s", got)
	}
}
